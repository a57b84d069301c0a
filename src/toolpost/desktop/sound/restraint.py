"""Whom nobody may end for a microphone: pure facts about a process, each with the words that say so."""

from msgspec import Struct

from toolpost.desktop.sound.processes import Process

_SOUND_NAMES = (
    "pipewire pipewire-pulse pipewire-media-session wireplumber pulseaudio jackd jackdbus artsd esd sndiod"
)
_SYSTEM_NAMES = """
    init systemd systemd-logind systemd-udevd (sd-pam) launchd runit s6-svscan openrc-init dbus-daemon dbus-broker
    dbus-broker-launch polkitd login sshd agetty getty gdm gdm3 gdm-session-worker gdm-wayland-session gdm-x-session
    sddm sddm-helper lightdm Xorg X Xwayland gnome-shell gnome-session-binary gnome-session plasmashell kwin_wayland
    kwin_x11 ksmserver startplasma-wayland startplasma-x11 xfce4-session xfwm4 mate-session cinnamon cinnamon-session
    sway Hyprland i3 weston labwc river niri mutter lxqt-session lxsession xdg-desktop-portal xdg-desktop-portal-gtk
    tmux screen containerd dockerd
"""
_SOUND = frozenset(_SOUND_NAMES.split())
_SYSTEM = frozenset(_SYSTEM_NAMES.split())
_SHOWN = 15  # characters of a name that the kernel keeps


class Own(Struct, frozen=True, kw_only=True):
    """We ourselves."""

    pid: int
    user: int
    above: frozenset[int] = frozenset()
    control_group: str = ""


SOUND_SERVER = "It is the sound server, which holds the device for others and lets it go by itself."


def reason(process: Process, own: Own) -> str:
    """Why it is left alone; empty when it may be asked to end."""
    if _is_one_of(process, _SOUND):
        return SOUND_SERVER
    if process.pid == own.pid or process.pid in own.above:
        return "It is this server, or one that started it."
    if not process.users or set(process.users) != {own.user}:
        return f"It belongs to {process.user or 'another user'}."
    if process.pid <= 2 or process.parent == 2 or _is_one_of(process, _SYSTEM):
        return "It is a part of the system or of the session."
    if "/system.slice/" in process.control_group and process.control_group != own.control_group:
        return "It is a service of the system; stop it by its service manager."
    return ""


def _is_one_of(process: Process, names: frozenset[str]) -> bool:
    return process.program in names or any(process.name == name[:_SHOWN] for name in names)
