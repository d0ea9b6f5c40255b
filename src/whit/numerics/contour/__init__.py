"""The certified contour engine: from the exact transform of the loss to its profile and tails, without a grid."""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "atoms": ("AtomsKind", "geometric_kind"),
        "composition": ("Composition",),
        "discrete_gaussian": ("DiscreteGaussianKind",),
        "gaussian": ("GaussianKind",),
        "kind": ("Kind",),
        "laplace": ("LaplaceKind",),
        "profile": ("ProfileBracket", "delta_bracket", "delta_estimate"),
        "randomized_response": ("EpsilonDeltaKind", "RandomizedResponseKind"),
        "subsampled_gaussian": ("SubsampledGaussianKind",),
        "subsampled_laplace": ("SubsampledLaplaceKind",),
        "tail": ("TailBracket", "null_tail_bracket", "tail_bracket"),
    },
)
