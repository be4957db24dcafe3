#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Runs a unit's command lines as systemd would, in an installation below a folder: start, watchdog, reload, stop.

    run_unit.py UNIT FOLDER WORK

UNIT is the name, with its instance where it has one; WORK a folder for its state and its log. Listens to what the
service tells systemd (sd_notify), and takes its time limits from the unit. What systemd does with namespaces,
capabilities and system calls is not done here.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time


class Fault(Exception):
    pass


class Unit:
    def __init__(self, name, root):
        self.name, self.root = name, root
        template = re.sub(r"@[^.]*\.", "@.", name)
        self.instance = name.split("@")[1].rsplit(".", 1)[0] if "@" in name else ""
        self.settings = {}
        for line in (root / "usr/local/lib/systemd/system" / template).read_text().splitlines():
            if "=" in line and not line.startswith("#"):
                key, value = line.split("=", 1)
                self.settings.setdefault(key, []).append(value.replace("%i", self.instance))

    def one(self, key):
        return self.settings[key][-1]

    def here(self, text):
        """A path of the unit as it is below the folder."""
        return re.sub(r"(^|=|:)/(etc|usr/local)/", rf"\1{self.root}/\2/", text)

    def command(self, key):
        return [self.here(word) for word in self.one(key).split()]


class Service:
    def __init__(self, unit, work):
        self.unit, self.heard = unit, []
        self.log = open(work / f"{unit.name}.log", "wb")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = str(work / f"{unit.name}.notify")
        self.socket.bind(address)
        credentials = work / f"{unit.name}.credentials"
        credentials.mkdir()
        for entry in unit.settings.get("LoadCredential", []):
            name, path = entry.split(":", 1)
            shutil.copy(unit.here(path), credentials / name)
        state = work / f"{unit.name}.state"
        state.mkdir()
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "NOTIFY_SOCKET": address, "STATE_DIRECTORY": str(state),
            "CREDENTIALS_DIRECTORY": str(credentials),
        }
        self.watchdog = int(unit.settings.get("WatchdogSec", ["0"])[-1])
        if self.watchdog:
            environment["WATCHDOG_USEC"] = str(self.watchdog * 1_000_000)
        for entry in unit.settings.get("Environment", []):
            key, value = entry.split("=", 1)
            environment[key] = unit.here(value)
        self.process = subprocess.Popen(
            unit.command("ExecStart"), env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def hear(self, wanted, limit):
        """Waits for a message to systemd; what came before does not count."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.process.poll() is not None and not wanted.startswith("STOPPING"):
                raise Fault(f"it ended with {self.process.returncode} instead of {wanted}")
            self.socket.settimeout(0.2)
            try:
                message = self.socket.recv(4096).decode()
            except TimeoutError:
                continue
            self.heard.append(message)
            if any(line.startswith(wanted) for line in message.splitlines()):
                return
        raise Fault(f"no {wanted} within {limit} s; heard {self.heard}")

    def reload(self):
        words = [word.replace("$MAINPID", str(self.process.pid)) for word in self.unit.command("ExecReload")]
        if subprocess.run(words, timeout=10).returncode != 0:
            raise Fault(f"{words} failed")


def main():
    root, work = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    unit = Unit(sys.argv[1], root)
    service = Service(unit, work)
    try:
        service.hear("READY=1", 30)
        if service.watchdog:
            service.hear("WATCHDOG=1", service.watchdog)
        if "ExecReload" in unit.settings:
            service.reload()
            service.hear("WATCHDOG=1", service.watchdog)
        service.process.send_signal(signal.SIGTERM)
        service.hear("STOPPING=1", 10)
        if (status := service.process.wait(int(unit.one("TimeoutStopSec")))) != 0:
            raise Fault(f"it ended with {status}")
    except (Fault, subprocess.TimeoutExpired) as fault:
        service.log.flush()
        print(pathlib.Path(service.log.name).read_text()[-2000:])
        sys.exit(f"{unit.name}: {fault}")
    finally:
        service.process.kill()
    print(f"{unit.name}: {len(service.heard)} messages to systemd, and exit 0")


main()
