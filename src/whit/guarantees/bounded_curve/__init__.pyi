from whit.guarantees.bounded_curve.points import bounded_delta as bounded_delta
from whit.guarantees.bounded_curve.points import bounded_epsilon as bounded_epsilon
from whit.guarantees.bounded_curve.points import log_crossing as log_crossing
from whit.guarantees.bounded_curve.points import log_level as log_level
