"""The pages of the site that are made, not written: reference, grid and gallery; and the frame around all pages.

site        the whole way: gather the pages, make the others, run Sphinx, check the links
places      where a file of the repository stands on the site, and links between the two
theorems    a page for each theorem; pages of assumptions and of references
uses        where the sources name a theorem
names       the public names and the package that each is described in
api         a page for each package, from its docstrings
docstrings  docstrings with aligned columns, as Sphinx reads them; links to the public place of a name
grid        what is known of each promise: every question, really asked
grid_page   the grid as a page
keys        links from the key of a theorem, wherever it is written as code
gallery     the papers: their figures drawn again, their numbers recomputed
links       links of the built pages that lead nowhere
markdown    text as Markdown
explorer    the explorer, and the guide that leads to it

Each maker returns its pages by their path on the site. Nothing is written into the folder of the written pages.
"""
