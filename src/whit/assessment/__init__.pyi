from whit.assessment.answers import Assessment as Assessment
from whit.assessment.answers import Unanswered as Unanswered
from whit.assessment.answers import Unasked as Unasked
from whit.assessment.answers import in_each as in_each
from whit.assessment.answers import promise_name as promise_name
from whit.assessment.assess import QUESTIONS as QUESTIONS
from whit.assessment.assess import assess as assess
from whit.assessment.assess import assess_one as assess_one
