// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The privilege identifiers of ``Service/rtc(channel:account:privileges:)``.
public enum RTCPrivilege {
    /// May join the channel.
    ///
    /// When it ends, the user is removed from the channel.
    public static let joinChannel: UInt16 = 1
    /// May publish audio.
    public static let publishAudioStream: UInt16 = 2
    /// May publish video.
    public static let publishVideoStream: UInt16 = 3
    /// May publish data streams.
    public static let publishDataStream: UInt16 = 4
}

/// The privilege identifiers of ``Service/rtm(userID:privileges:)`` and
/// ``Service/rtm2(userID:permissions:privileges:)``.
public enum RTMPrivilege {
    /// May log in.
    public static let login: UInt16 = 1
}

/// The privilege identifiers of ``Service/streaming(channel:account:privileges:)``.
public enum StreamingPrivilege {
    /// May publish a mixed stream.
    public static let publishMixStream: UInt16 = 1
    /// May publish a raw stream.
    public static let publishRawStream: UInt16 = 2
}

/// The privilege identifiers of ``Service/fpa(privileges:)``.
public enum FPAPrivilege {
    /// May log in.
    public static let login: UInt16 = 1
}

/// The privilege identifiers of ``Service/chat(userID:privileges:)``.
public enum ChatPrivilege {
    /// May act as the user.
    public static let user: UInt16 = 1
    /// May administer the chat application.
    public static let app: UInt16 = 2
}

/// The privilege identifiers of ``Service/fcdn(channel:account:privileges:)``.
public enum FCDNPrivilege {
    /// May publish.
    public static let publish: UInt16 = 1
    /// May play.
    public static let play: UInt16 = 2
}

/// The privilege identifiers of ``Service/apaas(room:user:role:privileges:)``.
public enum APaaSPrivilege {
    /// May act as a user in the room.
    public static let roomUser: UInt16 = 1
    /// May act as the user, in no room in particular.
    public static let user: UInt16 = 2
    /// May administer the application.
    public static let app: UInt16 = 3
}
