-- Generated from *.proto (sha256 94fc7287d27283e0b1a7f83390a4aace862f342e4fcd309ce6bfa1edb56cae76) by proto/generate. Do not edit.

-- ConversationsKind
--   1 conversation
--   2 deviceRevoked  A device, or all sign-ins, of the subject were revoked.
--   3 joined  A member joined. Like 4, 5 and 9 to 14, only for services that follow the journal.
--   4 left
--   5 removed
--   6 requestCount
--   7 profile
--   8 block
--   9 renamed  The name of a group changed.
--   10 photoChanged
--   11 ownershipTransferred
--   12 madeAdmin  A member became an admin.
--   13 madeMember  An admin became a member.
--   14 invitations  People were invited into a group or no longer are, whether they see it or not.

-- MessagingKind
--   1 message
--   2 requestMessage  A message of a pending request, which reveals the request.
--   3 inboxState
--   4 messageState
--   5 reactions
--   6 notShown  A change outside the window of some people, who get only its position.

-- EntitiesKind
--   1 reminder
--   2 decision
--   3 card  A card of a conversation was made or withdrawn. Only for services.
