"""Make sure that test processes receive Ctrl-C."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background processes with SIGINT ignored, and processes that the tests start would inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
