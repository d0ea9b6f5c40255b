from whit.papers.case import Case as Case
from whit.papers.case import Verdict as Verdict
from whit.papers.case import read_cases as read_cases
from whit.papers.recompute import PAPERS as PAPERS
from whit.papers.recompute import Recomputed as Recomputed
from whit.papers.recompute import recompute as recompute
