"""Who asks, and what they may do.

who       people, roles, and what a page asks of them
sessions  session cookies, which are signed
entering  the page behind a one-time link
people    the file with the roles of people and with tokens
forms     tokens in forms, which another site cannot know
gate      the door: nobody passes who is not known, and no form from another site
"""
