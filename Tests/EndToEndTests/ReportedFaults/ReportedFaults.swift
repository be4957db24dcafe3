// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// Faults that users of comparable systems reported, and the test that each is none of ours.
///
/// Only what a request, a lease or the configuration of this product can meet is tested; tests of other targets are
/// named with their target. These ids are not those of the AMQP client's known problems, which are named `of the
/// broker` outside of its own tests.
enum ReportedFaults {
    typealias Entry = TestNames.Entry

    static let all: [String: Entry] = tokens.merging(leases) { $1 }.merging(messages) { $1 }

    private static let tokens: [String: Entry] = [
        "B01": .tested("IdentityFaultTests.accountJoinedByNumber", "TokenMessagesTests/ReplyTests.b01"),
        "B02": .tested("IdentityFaultTests.numberJoinedByZero"),
        "B03": .tested(
            "IdentityFaultTests.oneKindOfUser", "TokenWorkerTests/PolicyTests.identitiesAreOfOneKind"),
        "B04": .tested("TokenMessagesTests/TimeFieldTests.b04"),
        "B05": .tested(
            "TokenMessagesTests/TimeFieldTests.b05",
            "TokenWorkerTests/PolicyIssueTests.theDefaultLifetimeIsCutToTheLongest"),
        "B06": .tested(
            "IdentityFaultTests.subscribersAreEnforcedByTheProject", "TokenMessagesTests/TimeFieldTests.b06"),
        "B07": .tested("IdentityFaultTests.administrationAsUser"),
        "B08": .tested("IdentityFaultTests.callTokenForMessaging", "TokenMessagesTests/TokenRequestTests.b08"),
        "B09": .tested("IdentityFaultTests.callAndMessaging", "GatewayTests.oneTokenForCallAndMessaging"),
        "B10": .tested("IdentityFaultTests.noToken"),
        "B16": .tested(
            "ConfigurationTests.oneLineThatNamesTheSetting", "GatewayFaultTests.aWrongSettingStopsTheStartWithOneLine"),
        "B17": .tested("RenewalTests.cancelledLeasesAreSilent", "TokenMessagesTests/ReplyTests.b17"),
        "B18": .tested("TokenMessagesTests/SecretTests.b18", "GatewayTests.theSecretIsAskedFor"),
        "B27": .tested(
            "IdentityFaultTests.issuedInTheFuture", "TokenClientTests/KeepPlanTests.aWrongClockChangesNothing"),
        "B48": .tested(
            "TokenMessagesTests/AgoraTextTests.b48Length", "TokenMessagesTests/AgoraTextTests.b48Characters",
            "TokenMessagesTests/AgoraTextTests.b48Alphabet"),
        "B49": .tested("TokenMessagesTests/AgoraTextTests.b49", "TokenMessagesTests/AgoraTextTests.b49RTM"),
        "B50": .tested("TokenMessagesTests/TimeFieldTests.b50"),
    ]

    private static let leases: [String: Entry] = [
        "B11": .tested("RenewalFaultTests.sameIdentity", "TokenMessagesTests/RenewalRuleTests.b11"),
        "B12": .tested(
            "TokenMessagesTests/RenewalRuleTests.b12", "TokenMessagesTests/NoticeTests.b12",
            "KeepAliveTests.holdsAValidTokenOverManyGenerations"),
        "B13": .tested("RenewalTests.twentyRenewalsInARow", "KeepAliveTests.holdsAValidTokenOverManyGenerations"),
        "B14": .tested(
            "LeaseStoreTests/ReportedFaultTests.everyGenerationIsWarnedOf",
            "KeepAliveTests.holdsAValidTokenOverManyGenerations"),
        "B15": .tested("RenewalTests.warnedThenExpired"),
        "B19": .tested(
            "TokenWorkerTests/PlannedRenewalTests.whatPolicyForbidsIsTriedAgainWhileTheTokenIsValid",
            "KeepAliveFaultTests.outlivesTheTokenAndTheWorker"),
        "B20": .tested(
            "TokenWorkerTests/PlannedRenewalTests.aTokenThatNobodyTakesIsTriedAgainAndThenSaid",
            "KeepAliveFaultTests.outlivesTheTokenAndTheWorker", "TokenClientTests/KeepPlanTests.whatHasRunOutIsAskedFor"
        ),
        "B21": .tested("TokenMessagesTests/TokenRequestTests.b21"),
        "B22": .tested("LeaseStoreTests/ScheduleTests.jitterIsOnlyEarlierAndNeverForTheEnd"),
        "B23": .tested(
            "RepeatTests.sameMessageID", "TokenMessagesTests/KeyTests.b23",
            "TokenClientTests/KeepPlanTests.aLostReplyIsAskedForAgain"),
        "B24": .tested(
            "TokenWorkerTests/PlannedRenewalTests.aTokenThatNobodyTakesIsTriedAgainAndThenSaid",
            "TokenClientTests/KeepPlanTests.aValidTokenIsServedWhileRenewalsFail"),
        "B25": .tested("TokenMessagesTests/RenewalRuleTests.b25"),
        "B26": .tested("RenewalFaultTests.renewalsOverReconnections", "KeepAliveFaultTests.outlivesItsConnections"),
        "B34": .tested("LeaseStoreTests/ReportedFaultTests.mixedLifetimes"),
        "B35": .tested("SameSecondTests.eachLeaseIsToldOnce"),
        "B36": .tested("CrashTests.killedWorkerLosesNothing"),
        "B46": .tested("TopologyTests.noticesWithoutListenersAreKept"),
        "B47": .tested("SameSecondTests.eachLeaseIsToldOnce", "TokenMessagesTests/NoticeTests.b47"),
    ]

    private static let messages: [String: Entry] = [
        "B28": .tested(
            "RenewalFaultTests.malformedRenewals", "TokenMessagesTests/RenewAndCancelRequestTests.renewFaults"),
        "B29": .tested("DeliveryFaultTests.replyQueueThatIsGone"),
        "B30": .tested("TokenMessagesTests/RequestPropertiesTests.b30"),
        "B31": .tested("ClientTests.whenTheConnectionGoesWaitingCallsFailAtOnceAndTheNextOneWorks"),
        "B32": .tested(
            "TokenMessagesTests/RequestPropertiesTests.b32", "ClientTests.nothingIsLeftOfCallsThatWereGivenUp"),
        "B33": .tested("DeliveryFaultTests.nothingIsHeldUntilItIsDue"),
        "B37": .tested("PoisonTests.deliveredTooOften"),
        "B38": .tested("TokenMessagesTests/TokenRequestTests.b38"),
        "B39": .tested("DeliveryFaultTests.forgedDeaths"),
        "B40": .tested("TopologyTests.differencesAreNamed"),
        "B41": .tested("BrokerFaultTests.queueDeletedAndMadeAgain"),
        "B42": .tested("CrashTests.stopUnderLoad"),
        "B43": .excluded(
            "How a scaler counts messages is a matter of its manifest, which .ci/checks/deployment looks at."),
        "B44": .tested("TokenMessagesTests/RequestPropertiesTests.b44"),
        "B45": .tested("MetricsTests.labelsAreClosed"),
        "B51": .tested(
            "TokenWorkerTests/ReplyRoutingTests.aMessageThatKillsItsWorkersIsDeadAtItsTwentiethReturn"),
    ]
}
