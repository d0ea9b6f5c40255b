from whit.setting.adversary import Adversary as Adversary
from whit.setting.adversary import Knowledge as Knowledge
from whit.setting.neighbours import Neighbours as Neighbours
from whit.setting.sensitivity import Sensitivity as Sensitivity
from whit.setting.unit import HOUSEHOLD as HOUSEHOLD
from whit.setting.unit import PERSON as PERSON
from whit.setting.unit import UnitOfPrivacy as UnitOfPrivacy
