// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// What the Glibc module leaves out: eventfd, mallopt, statfs, datagrams to a named socket, and socket options whose names
// are macros.

#pragma once
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

/// A non-blocking event counter that is closed on exec, or -1.
static inline int clinux_event_counter(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/// Adds one to an event counter: whoever polls it wakes up. Async-signal-safe.
static inline void clinux_event_signal(int counter) {
    uint64_t one = 1;
    ssize_t written = write(counter, &one, sizeof one);
    (void)written;
}

/// Sets an event counter back to zero.
static inline void clinux_event_clear(int counter) {
    uint64_t value;
    ssize_t count = read(counter, &value, sizeof value);
    (void)count;
}

/// Maps blocks of at least so many bytes one by one, so that freeing them gives their memory back at once.
static inline void clinux_map_blocks_from(int bytes) {
    mallopt(M_MMAP_THRESHOLD, bytes);
}

/// Names the calling thread; at most 15 bytes of it show.
static inline void clinux_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// Sets how long a TCP peer may leave data unacknowledged and probes unanswered. 0, or -1 on an error.
static inline int clinux_tcp_patience(int socket, unsigned user_timeout_ms, int idle_s, int interval_s, int probes) {
    int on = 1;
    int failed = setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, sizeof user_timeout_ms);
    failed |= setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    failed |= setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    failed |= setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    failed |= setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    return failed ? -1 : 0;
}

/// Holds back partial segments while `on`, and sends what is held back when switched off.
static inline void clinux_tcp_cork(int socket, int on) {
    setsockopt(socket, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

/// Sends one datagram to the Unix socket at `path`, where a leading `@` stands for the abstract namespace, and does not
/// wait. 0, or -1 when it was not taken.
static inline int clinux_send_datagram(const char *path, const char *text, size_t length) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof address.sun_path) return -1;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@') address.sun_path[0] = '\0';
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    ssize_t sent = sendto(descriptor, text, length, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, used);
    close(descriptor);
    return sent == (ssize_t)length ? 0 : -1;
}

/// The kind of file system that a path lies on, as statfs(2) numbers them, or 0 on an error.
static inline uint32_t clinux_filesystem(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}
