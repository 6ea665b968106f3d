"""The HTTP interface: every command as ``POST /api/<game>/<command>``, and analysis boards in the browser.

A request takes this way: `guard` checks where it comes from, `app` reads its JSON, `operations` turns it into the words
of a command line, `pool` waits for a free worker process, `worker` runs the command, and the object that
``--json`` prints goes back.
"""
