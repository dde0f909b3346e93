/** Parley's SDK for browsers and node. Begin with {@link Parley.open}. */
export { Parley } from "./parley";
export type { Registration } from "./parley";
export type { AccountState, Connection, RequestCount } from "./state";
export type { EventChanges, NewEvent } from "./parley-entities";
export type { ParleyOptions } from "./options";
export { Conversation } from "./conversation";
export { ConversationList } from "./list";
export type { ConversationChange } from "./view";
export { MessageSearch } from "./search";
export type { SearchFilter } from "./search";
export { Identities } from "./identities";
export type { DeviceLink, Identity, Issuer, Newcomer, Owner, WaysIn } from "./identities";
export { Pushes } from "./pushes";
export type { BrowserSubscription, PushDevice, PushLevel, PushSettings, QuietHours } from "./pushes";
export { Observable, forReact } from "./observable";
export type { Unsubscribe } from "./observable";
export { Refusal } from "./refusal";
export type { Unsent, UnsentKind } from "../outbox/unsent";
export type { FileFacts, OpenedFile, SendOptions } from "./files";
export type { Answer, Attendee, Decision, Event, Listed, Reminder, Suggestion } from "./entities";
export { directConversation } from "./values";
export type {
    Attachment, DeliveryStatus, Gap, Member, Message, MessageKind, OwnPresence, Presence, Profile, Reaction, Receipt,
    ReportReason, RequestState, Section, SignedInDevice, SyncStatus, SystemNote, Thread, Unread, User,
} from "./values";
export type { CredentialStore, Credentials, EndedSignIn } from "./credentials";
export type { OpenWebSocket, WebSocketLike } from "../protocol/link";
