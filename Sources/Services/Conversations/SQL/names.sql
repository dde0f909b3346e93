-- Numbers that SQL and Swift share: SQL files write {Name.case}, Swift Name.case.

-- Section
--   0 hidden         not shown to the member (yet); the others are ConversationSection of the contract
--   1 inbox          in the inbox
--   2 requests       among the message requests
--   3 blockedPeople  with a person whom the member blocks
--   4 left           a group that the member left
--   5 gone           gone for the member, who sees nothing of it

-- WriteRefusal
--   0 none         the member may write
--   1 acceptFirst  the member has not accepted the request
--   2 userBlocked  one blocks the other, or the other is erased
--   3 notMember    the member left, was removed, or does not see the conversation

-- OperatorAction
--   1 suspend  nobody can sign in to the account
--   2 restore  its owner can sign in again
--   3 signOut  all its devices are signed out
--   4 remove   the account is erased
--   5 invite   a code for registering was made
--   6 deleteMessage  a message was deleted
--   7 nameOwner  became the owner of a group

-- JobKind
--   1 publishProfile  publishes a person's current profile to everyone who sees them in a conversation
--   2 erase           removes an erased person from all conversations
--   3 handOver        gives the groups of somebody who is suspended without end to others
--   4 takeOver        makes somebody the owner of groups that an operator named

-- MailKind
--   1 reset           has a code with which a new password is set
--   2 confirm         has a code with which the address is confirmed
--   3 addressChanged  says that the address is not that of the account any more
