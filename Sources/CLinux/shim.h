// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <netinet/tcp.h>
