from whit.telling.claims.beside_noise import JudgedEpsilon as JudgedEpsilon
from whit.telling.claims.beside_noise import Support as Support
from whit.telling.claims.cases import Case as Case
from whit.telling.claims.cases import Meaning as Meaning
from whit.telling.claims.judged import JudgedClaim as JudgedClaim
from whit.telling.claims.judged import Point as Point
from whit.telling.claims.judged import judge_claim as judge_claim
