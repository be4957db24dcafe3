// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

enum AgoraTokenPlaceholder {}
