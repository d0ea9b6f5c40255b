from whit.telling.explorer.page import explorer as explorer
from whit.telling.explorer.page import write_explorer as write_explorer
from whit.telling.explorer.tables import make_tables as make_tables
