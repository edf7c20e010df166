"""A process that may die: it does one piece of work within limits of memory and time, tells how far it is, and ends.

Where the system can fork, a `Host` stands ready: a process with one thread that has its libraries loaded and forks a
worker for every request, so that a worker begins within milliseconds. Elsewhere each worker is started by itself.

A worker's function is named ("module:function") and called with (data, options, channel); what it sends comes out of
`Worker.messages`. Messages are a letter, a length and so many bytes. Nothing here unpickles them: a worker that reads
foreign files may be under the control of one.
"""
