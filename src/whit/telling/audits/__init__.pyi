from whit.telling.audits.page import audit_page as audit_page
from whit.telling.audits.picture import left_picture as left_picture
from whit.telling.audits.picture import left_text as left_text
