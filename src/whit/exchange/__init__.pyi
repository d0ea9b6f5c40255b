from whit.exchange.budgets import from_smartnoise as from_smartnoise
from whit.exchange.budgets import from_tumult as from_tumult
from whit.exchange.dp_events import from_dp_event as from_dp_event
from whit.exchange.learned import Learned as Learned
from whit.exchange.learned import OpenPoint as OpenPoint
from whit.exchange.opacus import from_opacus as from_opacus
from whit.exchange.reading import learn as learn
from whit.exchange.reading import learn_from_file as learn_from_file
