"""The key of a theorem, written as code on any page, leads to the page of the theorem."""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from _generate.theorems import FOLDER
from whit.theory import THEOREMS


def page_of(text: str) -> str | None:
    """The page of the theorem that a piece of code names. One word alone may mean anything, and names none.

    >>> page_of("zcdp-tails")
    'reference/theorems/zcdp-tails'
    >>> page_of("cells") is None
    True
    """
    return f"{FOLDER}/{text}" if "-" in text and text in THEOREMS else None


class LinkedKeys(SphinxTransform):
    """Wrap the keys in links, except those inside a link and on the page of the theorem itself."""

    default_priority = 500

    def apply(self, **_options: object) -> None:
        """Change the document in place."""
        for literal in list(self.document.findall(nodes.literal)):
            page = page_of(literal.astext())
            if page in self.env.found_docs and page != self.env.docname and not _inside_link(literal):
                literal.replace_self(self._link(page, literal))

    def _link(self, page: str, literal: nodes.literal) -> pending_xref:
        target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{page}", "refexplicit": True, "refwarn": True}
        return pending_xref("", literal.deepcopy(), refdoc=self.env.docname, **target)


def _inside_link(node: nodes.Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.reference | pending_xref | nodes.title):
            return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Make this module an extension."""
    app.add_transform(LinkedKeys)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
