from whit.telling.words.changes import change_texts as change_texts
from whit.telling.words.explaining import Explained as Explained
from whit.telling.words.explaining import explain as explain
from whit.telling.words.language import Audience as Audience
from whit.telling.words.language import Explanation as Explanation
from whit.telling.words.language import Said as Said
from whit.telling.words.language import languages as languages
from whit.telling.words.subject import usual_failure as usual_failure
