from whit.telling.explain.explain import Explained as Explained
from whit.telling.explain.explain import explain as explain
from whit.telling.explain.language import Audience as Audience
from whit.telling.explain.language import Explanation as Explanation
from whit.telling.explain.language import Said as Said
from whit.telling.explain.language import languages as languages
