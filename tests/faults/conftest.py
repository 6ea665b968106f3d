"""Make sure that test processes receive Ctrl-C."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # In the background of a shell, tests are started deaf to it, and would hand that on to the processes they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
