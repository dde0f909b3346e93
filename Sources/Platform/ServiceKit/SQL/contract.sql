-- Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

-- Choice
--   1 yes
--   2 no

-- ChallengeKind
--   1 noChallenge
--   2 work
--   3 token

-- IssuerNonce
--   1 noNonce
--   2 plainNonce
--   3 sha256Nonce

-- ReportReason
--   1 spam
--   2 harassment
--   3 violence
--   4 sexual
--   5 impersonation
--   6 other

-- ConversationKind
--   1 direct
--   2 group

-- ConversationStatus
--   1 pending
--   2 accepted
--   3 blocked

-- MemberRole
--   1 member
--   2 admin
--   3 owner

-- ConversationSection
--   1 inbox
--   2 requests
--   3 blockedPeople
--   4 left
--   5 gone

-- CompletedFilter
--   1 onlyOpen
--   2 onlyCompleted

-- AttendanceStatus
--   1 pending
--   2 accepted
--   3 declined
--   4 tentative

-- SuggestionKind
--   1 event
--   2 reminder
--   3 decision

-- SuggestionState
--   1 open
--   2 accepted
--   3 dismissed
--   4 withdrawn

-- ConversationsKind
--   1 conversation
--   2 deviceRevoked
--   3 joined
--   4 left
--   5 removed
--   6 requestCount
--   7 profile
--   8 block
--   9 renamed
--   10 photoChanged
--   11 ownershipTransferred
--   12 madeAdmin
--   13 madeMember
--   14 invitations

-- MessagingKind
--   1 message
--   2 requestMessage
--   3 inboxState
--   4 messageState
--   5 reactions
--   6 notShown

-- EntitiesKind
--   1 reminder
--   2 decision
--   3 card
--   4 event
--   5 suggestion
--   6 eventCounts

-- MessageKind
--   1 text
--   2 image
--   3 video
--   4 file
--   5 voice
--   6 system

-- SystemNoteKind
--   1 membersJoined
--   2 memberLeft
--   3 memberRemoved
--   4 groupRenamed
--   5 groupPhotoChanged
--   6 ownerChanged
--   7 adminAdded
--   8 adminRemoved
--   9 retentionChanged
--   10 decisionShared
--   11 eventShared

-- MentionsAndStarsKind
--   1 starred
--   2 mentions
--   3 mentionsAndStars

-- PushTransport
--   1 apns
--   2 apnsSandbox
--   3 fcm
--   4 fcmInstallation
--   5 webPush

-- PushLevel
--   1 allMessages
--   2 mentionsOnly
--   3 noMessages

-- PushContent
--   1 fullText
--   2 namesOnly
--   3 noContent

-- PresenceStatus
--   1 offline
--   2 online
--   3 away
--   4 doNotDisturb

-- Availability
--   1 automatic
--   2 saysAway
--   3 saysDoNotDisturb

-- Hiding
--   1 fromNobody
--   2 fromAll
--   3 fromAllButAccepted
