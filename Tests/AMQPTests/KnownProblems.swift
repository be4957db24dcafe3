// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// What is known to go wrong with RabbitMQ 3.10 and librabbitmq 0.11, and the test that it does not here.
///
/// `L` are traps of the library, `B` behaviours of the broker, `Report` bug reports of other clients. Other targets'
/// tests are named with their target.
enum KnownProblems {
    typealias Entry = TestNames.Entry

    private static func tested(_ tests: String...) -> Entry { .tested(tests) }

    static let all: [String: Entry] = library.merging(broker) { $1 }.merging(reports) { $1 }

    private static let library: [String: Entry] = [
        "L01": tested("BrokerFaultTests.survivesFreezing"),
        "L02": tested("BrokerFaultTests.waitsOutAlarms"),
        "L03": tested("BrokerFaultTests.waitsOutAlarms"),
        "L04": tested("BrokerFaultTests.waitsOutAlarms"),
        "L05": tested("ResourceTests.keepsItsMemory"),
        "L06": tested("FakeBrokerTests.readsInterleavedChannels"),
        "L07": tested("ResourceTests.keepsItsMemory"),
        "L08": tested("HeartbeatTests.outlivesLongHandlers", "FakeBrokerTests.noticesMissingHeartbeats"),
        "L09": tested("FakeBrokerTests.ignoresHeartbeats"),
        "L10": tested("ConsumerSettlingTests.takesCommandsFromAnyThread"),
        "L11": tested("TLSTests.drainsOpenSSL"),
        "L12": tested("FakeBrokerTests.givesUpOnSilence"),
        "L13": tested("PublisherTests.namesTheFailure"),
        "L14": tested("PublisherTests.refusesInvalid"),
        "L15": tested("FakeBrokerTests.reconnectsAfter"),
        "L16": tested("PublisherTests.refusesInvalid"),
        "L17": tested("FakeBrokerTests.survivesDeepHeaders"),
        "L18": tested("ConsumerTests.skipsLargeBodies", "FrameAssemblerTests.skipsLargeBodies"),
        "L19": tested("PublisherLoadTests.readsAndWritesMuch"),
        "L20": tested("ConsumerRecoveryTests.triesOtherEndpoints", "NameLookupTests.boundsTheResolver"),
        "L21": tested("SocketTests.setsPatience"),
        "L22": tested(
            "TLSTests.connects", "TLSTests.tellsRefusedCertificates", "TLSRefusalTests.refusesOtherNames",
            "TLSRefusalTests.refusesExpired", "TLSRefusalTests.refusesOtherAuthorities",
            "TLSRefusalTests.refusesOldVersions", "TLSRefusalTests.namesUnusableFiles"),
        "L23": tested("TLSTests.logsInByCertificate", "EndToEndTests/EncryptionTests.servesOverTLS"),
        "L24": tested("AMQPURLTests.parses", "AMQPURLTests.refuses"),
        "L25": .excluded(
            "Swift's compiler refuses the variadic functions; the shims that replace them are in every login."),
        "L26": tested("TLSTests.drainsItsSocket"),
        "L27": tested("BrokerFaultTests.survivesShutdown", "PublisherTests.namesTheFailure"),
    ]

    private static let broker: [String: Entry] = [
        "B01": tested("PublisherTests.survivesInternalErrors", "EndToEndTests/MalformedReplyTests.servesTheOthers"),
        "B02": tested("PublisherTests.tellsConfirmedFromReturned"),
        "B03": tested("TokenWorkerTests/ReplyRoutingTests.aDirectReplyIsNotMandatory"),
        "B04": tested("EndToEndTests/DeadLetterTests.replyToThatIsNotAllowed"),
        "B05": tested("PublisherLoadTests.refusesForgedUsers"),
        "B06": tested("QueueKindTests.keepsThePrefetch", "EndToEndTests/PoisonTests.theBrokersOwnLimit"),
        "B07": tested("TokenWorkerTests/ReplyLedgerTests.aDeadLetterIsNeverGivenUp"),
        "B08": tested("BrokerFaultTests.survivesConsumerTimeout"),
        "B09": tested("QueueKindTests.waitsForItsTurn"),
        "B10": tested("QueueKindTests.keepsThePrefetch"),
        "B11": tested("TopologyTests.passesRefusalsOn"),
        "B12": tested("PublisherTests.tellsNacks", "EndToEndTests/RefusedReplyTests.aFullQueue"),
        "B13": tested("TopologyTests.tellsMissingPermissions", "ConsumerQueueTests.isolatesRefusedQueues"),
        "B14": tested("EndToEndTests/TopologyTests.noticesWithoutListenersAreKept"),
        "B15": .excluded("Nothing here imports definitions: queues are declared over AMQP, policies set one by one."),
        "B16": .excluded("The broker's own metrics are for its operator; nothing here reads them."),
        "B17": tested("ConsumerTests.announcesItself"),
        "B18": .excluded("A scaler asks the broker about queues; .ci/checks/deployment looks at what it is told."),
        "B19": tested(
            "CredentialsTests.readsThePasswordAgain", "CredentialsTests.readsTheBrokersAgain",
            "EndToEndTests/RotationTests.readsTheURLAgain"),
        "B20": tested("HeartbeatTests.outlivesLongHandlers"),
        "B21": tested("BrokerFaultTests.waitsOutAlarms"),
        "B22": tested("ConsumerTests.announcesItself"),
    ]

    private static let reports: [String: Entry] = [
        "Report01": tested("BrokerFaultTests.survivesFreezing", "EndToEndTests/BrokerFaultTests.frozenBroker"),
        "Report02": tested("BrokerFaultTests.waitsOutAlarms", "EndToEndTests/BrokerFaultTests.memoryAlarmUnderLoad"),
        "Report03": tested("BrokerFaultTests.survivesFreezing", "EndToEndTests/BrokerFaultTests.frozenBroker"),
        "Report04": tested(
            "ConsumerQueueTests.repairsDeletedQueues", "EndToEndTests/BrokerFaultTests.queueDeletedAndMadeAgain"),
        "Report05": tested("ResourceTests.keepsItsMemory", "EndToEndTests/MemoryTests.staysTheSame"),
        "Report06": tested("ConsumerSettlingTests.takesCommandsFromAnyThread"),
        "Report07": tested("FakeBrokerTests.reconnectsAfter"),
        "Report08": tested("ConsumerQueueTests.isolatesRefusedQueues"),
        "Report09": tested("TLSTests.drainsItsSocket"),
        "Report10": tested("FakeBrokerTests.readsInterleavedChannels"),
        "Report11": tested(
            "PublisherTests.survivesInternalErrors", "EndToEndTests/MalformedReplyTests.servesTheOthers"),
        "Report12": tested(
            "TokenWorkerTests/ReplyRoutingTests.aMessageThatKillsItsWorkersIsDeadAtItsTwentiethReturn",
            "EndToEndTests/PoisonTests.deliveredTooOften"),
        "Report13": tested("BrokerFaultTests.survivesKill", "EndToEndTests/CrashTests.killedBroker"),
        "Report14": tested("BrokerFaultTests.survivesConsumerTimeout"),
        "Report15": tested("BrokerFaultTests.survivesConsumerTimeout"),
        "Report16": tested("BrokerFaultTests.survivesFreezing", "FakeBrokerTests.leavesHangingBrokers"),
        "Report17": tested("HeartbeatTests.outlivesLongHandlers"),
        "Report18": tested("QueueKindTests.keepsThePrefetch", "ConsumerRecoveryTests.survivesForcedClose"),
        "Report19": tested("PublisherLoadTests.closesWhileOthersPublish"),
        "Report20": tested("BrokerFaultTests.survivesKill"),
        "Report21": tested(
            "ConsumerRecoveryTests.survivesForcedClose", "ForcedCloseTests.losesNothing",
            "EndToEndTests/BrokerFaultTests.connectionsClosedUnderLoad"),
        "Report22": tested("SettlementLedgerTests.settlesOnce"),
        "Report23": tested("ConsumerQueueTests.makesTemporaryQueues"),
        "Report24": tested("PublisherLoadTests.losesWhatTheChannelCannotTake"),
        "Report25": tested(
            "ConsumerQueueTests.repairsDeletedQueues", "EndToEndTests/BrokerFaultTests.queueDeletedAndMadeAgain"),
        "Report26": tested(
            "ForcedCloseTests.losesNothing", "BrokerFaultTests.survivesKill",
            "EndToEndTests/BrokerFaultTests.connectionsClosedUnderLoad"),
        "Report27": tested("TokenWorkerTests/ReplyLedgerTests.aQueueThatAppearsInTimeGetsItsReply"),
        "Report28": tested("PublisherTests.keepsRepliesFromNotices"),
        "Report29": tested("EndToEndTests/CrashTests.stopUnderLoad"),
        "Report30": tested(
            "EndToEndTests/StopTests.endsWithinTheGracePeriod",
            "EndToEndTests/BrokerFaultTests.stopWithManyPrefetched"),
        "Report31": tested(
            "ResourceTests.rests", "EndToEndTests/StopTests.restsWithoutABroker",
            "EndToEndTests/BrokerFaultTests.idleWorkerRests"),
        "Report32": tested("LockstepTests.spreadsReconnections", "BackOffTests.spreads"),
        "Report33": tested("TokenClientTests/CallsTests.whenTheRepliesConnectionGoesEveryCallFailsAtOnce"),
        "Report34": tested("SettlementLedgerTests.neverSendsZero"),
    ]
}
