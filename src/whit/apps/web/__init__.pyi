from whit.apps.web.app import create_app as create_app
from whit.apps.web.settings import Limits as Limits
from whit.apps.web.settings import Mode as Mode
from whit.apps.web.settings import Settings as Settings
