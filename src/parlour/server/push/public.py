"""Which addresses anybody can reach, by the registries of the IANA for addresses of special purpose.

What stands in them is refused, also where it can be reached from everywhere: no push service is there. Python's own
``is_global`` is of no use here: it takes some networks for public that these registries do not.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

SPECIAL = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by the customers of a provider
        "127.0.0.0/8",  # this machine
        "169.254.0.0/16",  # this link, and the data that clouds have for their machines
        "168.63.129.16/32",  # in no registry: what a cloud tells its machines
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112: questions about private addresses end here
        "192.52.193.0/24",  # automatic multicast tunnels
        "192.88.99.0/24",  # relays from 6to4
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # measurements
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # many at once
        "240.0.0.0/4",  # reserved, and everybody
    )
]
UNICAST = IPv6Network("2000::/3")  # whatever lies outside is special, local, for many at once, or nobody's yet
SPECIAL_6 = [
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols: Teredo, ORCHID, measurements, anycast
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which leads to an address of IPv4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]
NAT64 = IPv6Network(
    "64:ff9b::/96"
)  # the address of IPv4 in it counts; 64:ff9b:1::/48 leads into a network of one's own


def is_public(address: str) -> bool:
    """Whether anybody could reach this address, and not this machine or its network alone."""
    found: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(found, IPv6Address):
        inner = IPv4Address(int(found) & 0xFFFFFFFF) if found in NAT64 else found.ipv4_mapped
        if inner is None:
            return found in UNICAST and not any(found in network for network in SPECIAL_6)
        found = inner
    return not any(found in network for network in SPECIAL)
