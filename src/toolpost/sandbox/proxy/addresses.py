"""Addresses that a name must not lead to: of this machine, of its networks, of the cloud it runs in."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

METADATA = frozenset(
    map(
        ip_address,
        (
            *("169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200"),
            *("192.0.0.192", "169.254.0.23", "169.254.42.42"),
            *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42"),
        ),
    )
)
"""Where clouds tell a machine its own credentials: nothing opens them."""
_RESERVED_4 = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_PUBLIC_6 = IPv6Network("2000::/3")
_RESERVED_6 = tuple(map(IPv6Network, ("2001::/23", "3fff::/20")))
_TRANSLATED = tuple(map(IPv6Network, ("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")))
"""Each holds an IPv4 address, which who carries the packet may take for the goal."""
_LOOPBACK_6 = IPv6Address("::1")


def objection(text: str, *, opened: bool = False) -> str:
    """Why an address must not be dialed; empty: it may. `opened`: a rule names the host and opens private ones."""
    try:
        address = ip_address(text)
    except ValueError:
        return "an address that cannot be read"
    if isinstance(address, IPv6Address):
        if _is_translated(address):
            return "an address that hides another"
        address = address.ipv4_mapped or address.sixtofour or address
    if address in METADATA:
        return "the machine's own credentials"
    if address.is_multicast:
        return "no single machine"
    return "" if opened or _is_public(address) else "a private address"


def _is_translated(address: IPv6Address) -> bool:
    is_tunnel = (int(address) >> 32) & 0xFDFFFFFF == 0x5EFE  # ISATAP
    inside = any(address in network for network in _TRANSLATED)
    return is_tunnel or address.teredo is not None or (inside and address != _LOOPBACK_6)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in _RESERVED_4)
    reserved = any(address in network for network in _RESERVED_6)
    return address in _PUBLIC_6 and address.is_global and not reserved
