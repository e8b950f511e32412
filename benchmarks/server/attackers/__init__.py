"""Those who try to stop others. Everything here comes from 127.0.0.0/8 and goes to 127.0.0.1.

host       the server that is attacked
stage      what stands in its database before
ground     where they come from, and what they ask with
asking     by requests over HTTP
talking    by sockets, at tables of their own, and many at once
raw        by what no browser would send
special    by way of something else
"""
