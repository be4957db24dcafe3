// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

@main
struct AgoraTokenCommand {
    static func main() {}
}
