import { Decision, Event, Reminder, answerOf, decisionOf, eventOf, reminderOf } from "../api/entities";
import { date, directConversation, Facts, Member, Message } from "../api/values";
import { create } from "../protocol/codec";
import type { Choice, Conversation, EventTime } from "../protocol/generated/messages";
import type { Methods } from "../protocol/generated/methods";
import type { OwnState, Summary } from "../store/summary";
import { Action, ActionAnswer, MethodName, eventChange } from "./action";

/** The lane of what is about me alone. */
export const ownLane = "me";

const nextSync: ActionAnswer = { confirmation: { type: "nextSync" } };
const now: ActionAnswer = { confirmation: { type: "now" } };

// MARK: Parts that kinds share

type InConversation = { conversation: string };
type Identified = { id: string };

/** What is done in the conversation that a request names. */
const inConversation = {
    lane: (request: InConversation) => request.conversation,
    key: (request: InConversation) => request.conversation,
};

/** What is done with something of mine that a request names by its id. */
const aboutEntity = {
    lane: (request: Identified) => request.id,
    key: (_: Identified, me: string) => me,
};

/** What concerns another person is in order with what I write to them. */
const aboutPerson = {
    lane: (request: { user: string }, me: string) => directConversation(me, request.user),
    key: (request: { user: string }) => request.user,
};

/** The answer is at a position of the stream of the conversation's messages. */
function atMessages(conversation: string, position: number, seq?: number): ActionAnswer {
    return { confirmation: { type: "at", stream: `messaging/c/${conversation}`, position }, seq };
}

const atConversations = (me: string, position = 0): ActionAnswer => ({
    confirmation: { type: "at", stream: `conversations/u/${me}`, position },
});

const atEntities = (me: string, ...positions: (number | undefined)[]): ActionAnswer => ({
    confirmation: { type: "at", stream: `entities/u/${me}`, position: Math.max(...positions.map((it) => it ?? 0)) },
});

const answerConversation = (reply: { conversation?: Conversation }, _: unknown, me: string) =>
    atConversations(me, reply.conversation?.position);

function flag(choice: Choice): boolean | undefined {
    return choice === "YES" ? true : choice === "NO" ? false : undefined;
}

const changeOwn = (summary: Summary, own: Partial<OwnState>): Summary => ({
    ...summary, own: { ...summary.own, ...own },
});

/** Changes what the server has said of the conversation, if anything. */
function changeFacts(summary: Summary, change: (facts: Facts) => Partial<Facts>): Summary {
    const { facts } = summary;
    return facts ? { ...summary, facts: { ...facts, ...change(facts) } } : summary;
}

const setRole = (facts: Facts, user: string, role: Member["role"]): Facts => ({
    ...facts, members: facts.members.map((member) => (member.user.id === user ? { ...member, role } : member)),
});

const unchanged = (summary: Summary) => summary;

/** A change of a group, which all members see. */
const ofGroup = { ...inConversation, unsent: () => ({ type: "group" }) as const };
const ofRequest = { ...inConversation, unsent: () => ({ type: "request" }) as const };
const ofReminder = { ...aboutEntity, unsent: () => ({ type: "reminder" }) as const };
const ofDecision = { ...aboutEntity, unsent: () => ({ type: "decision" }) as const };
const ofEvent = { ...aboutEntity, unsent: () => ({ type: "event" }) as const };

const answerReminder = (reply: Methods["entities.CreateReminder"]["reply"], _: unknown, me: string) =>
    atEntities(me, reply.reminder?.position);
const answerDecision = (reply: Methods["entities.CreateDecision"]["reply"], _: unknown, me: string) =>
    atEntities(me, reply.decision?.position);
const answerEvent = (reply: Methods["entities.CreateEvent"]["reply"], _: unknown, me: string) =>
    atEntities(me, reply.event?.position, reply.position);

const changeReminder = (id: string, change: (reminder: Reminder) => Partial<Reminder>) => ({
    id, change: (reminder: Reminder) => ({ ...reminder, ...change(reminder) }),
});

// MARK: Messages

const messages = {
    "messaging.SendMessage": {
        ...inConversation,
        sends: true,
        numbered: (seq) => ({ reply_to_seq: seq }),
        unsent: ({ media, text }) => (media ? { type: "file", name: media.name } : { type: "message", text }),
        answer: (reply, request) => atMessages(request.conversation, reply.position, reply.seq),
    } as Action<"messaging.SendMessage">,
    "messaging.EditMessage": {
        ...inConversation,
        numbered: (seq) => ({ seq }),
        unsent: ({ text }) => ({ type: "edit", text }),
        message: (message, { text, mentions }, editedAt) =>
            message.isDeleted ? message : { ...message, text, mentions, editedAt },
        answer: (reply, request) => atMessages(request.conversation, reply.message?.position ?? 0),
    } as Action<"messaging.EditMessage">,
    "messaging.DeleteMessage": {
        ...inConversation,
        numbered: (seq) => ({ seq }),
        unsent: () => ({ type: "deletion" }),
        message: (message) => ({
            ...message, isDeleted: true, text: "", editedAt: undefined, mentions: [], reactions: [],
            attachment: undefined, note: undefined, forwardedFrom: undefined, progress: undefined,
        }),
        answer: (reply, request) => atMessages(request.conversation, reply.message?.position ?? 0),
    } as Action<"messaging.DeleteMessage">,
    "messaging.UpdateReaction": {
        ...inConversation,
        numbered: (seq) => ({ seq }),
        unsent: ({ emoji }) => ({ type: "reaction", emoji }),
        message: (message, { emoji, remove }) => react(message, emoji, remove),
        answer: (reply, request) => atMessages(request.conversation, reply.position),
    } as Action<"messaging.UpdateReaction">,
    "messaging.UpdateMessageState": {
        ...inConversation,
        numbered: (seq) => ({ seqs: [seq] }),
        unsent: () => ({ type: "messageState" }),
        message: (message, { starred, hide }) => ({
            ...message, isStarred: flag(starred) ?? message.isStarred, isHidden: message.isHidden || hide,
        }),
        answer: (reply, { conversation }) => {
            const position = Math.max(0, ...reply.states.map((state) => state.own_position));
            return { confirmation: { type: "own", conversation, position } };
        },
    } as Action<"messaging.UpdateMessageState">,
};

function react(message: Message, emoji: string, remove: boolean): Message {
    if (message.isDeleted) return message;
    const known = message.reactions.find((reaction) => reaction.emoji === emoji);
    if (!known) {
        return remove ? message : { ...message, reactions: [...message.reactions, { emoji, count: 1, isMine: true }] };
    }
    if (known.isMine !== remove) return message;
    const changed = { emoji, count: known.count + (remove ? -1 : 1), isMine: !remove };
    const reactions = message.reactions.map((reaction) => (reaction === known ? changed : reaction));
    return { ...message, reactions: reactions.filter((reaction) => reaction.count > 0) };
}

// MARK: Conversations

const conversations = {
    "messaging.UpdateMarks": {
        lane: ({ marks }) => marks[0]?.conversation ?? "",
        key: (_, me) => me,
        dropsRefusals: true,
        marks: true,
        unsent: () => ({ type: "ownState" }),
        // The sync machine takes inbox states from replies at once.
        answer: () => now,
    } as Action<"messaging.UpdateMarks">,
    "messaging.UpdateInboxState": {
        ...inConversation,
        unsent: () => ({ type: "ownState" }),
        summary: (summary, request, atUs) => {
            let changed = summary;
            const [pinned, archived] = [flag(request.pinned), flag(request.archived)];
            const [marked, muted] = [flag(request.marked_unread), flag(request.muted)];
            if (pinned !== undefined && pinned !== summary.own.pinnedAt > 0) {
                const pinnedAt = pinned ? atUs : 0;
                changed = { ...changeOwn(changed, { pinnedAt }), place: { ...changed.place, pinnedAt } };
            }
            if (archived !== undefined) changed = changeOwn(changed, { isArchived: archived });
            if (marked !== undefined) {
                changed = changeOwn(changed, { unread: { ...changed.own.unread, isMarked: marked } });
            }
            if (muted !== undefined) {
                changed = changeOwn(changed, { mutedUntil: muted ? Number(request.muted_until_us) || Infinity : 0 });
            }
            return changed;
        },
        answer: () => now,
    } as Action<"messaging.UpdateInboxState">,
    "messaging.SetRetention": {
        ...inConversation,
        unsent: () => ({ type: "retention" }),
        summary: (summary, { seconds }) => changeOwn(summary, { retention: seconds }),
        answer: () => nextSync,
    } as Action<"messaging.SetRetention">,
    "conversations.StartDirect": {
        ...aboutPerson,
        creates: true,
        unsent: () => ({ type: "conversation" }),
        summary: bringForward,
        answer: answerConversation,
    } as Action<"conversations.StartDirect">,
    "conversations.CreateGroup": {
        lane: ({ id }) => id,
        key: ({ id }) => id,
        creates: true,
        unsent: () => ({ type: "conversation" }),
        summary: bringForward,
        answer: answerConversation,
    } as Action<"conversations.CreateGroup">,
    "conversations.UpdateGroup": {
        ...ofGroup,
        summary: (summary, { name, photo_url }) => changeFacts(summary, (facts) => ({
            name: name ?? facts.name, photo: photo_url === undefined ? facts.photo : photo_url || undefined,
        })),
        answer: answerConversation,
    } as Action<"conversations.UpdateGroup">,
    // Who becomes a member, and who is invited, is for the server to say.
    "conversations.AddMembers": {
        ...ofGroup, summary: unchanged, answer: answerConversation,
    } as Action<"conversations.AddMembers">,
    "conversations.RemoveMember": {
        ...ofGroup,
        summary: (summary, { user }) => changeFacts(summary, ({ members, memberCount }) => {
            const left = members.filter((member) => member.user.id !== user);
            return { members: left, memberCount: memberCount - (members.length - left.length) };
        }),
        answer: () => nextSync,
    } as Action<"conversations.RemoveMember">,
    "conversations.LeaveGroup": {
        ...ofGroup,
        summary: (summary) => changeFacts({ ...summary, section: "left" }, () => ({ section: "left", hasLeft: true })),
        answer: () => nextSync,
    } as Action<"conversations.LeaveGroup">,
    "conversations.SetMemberRole": {
        ...ofGroup,
        summary: (summary, { user, role }) =>
            changeFacts(summary, (facts) => setRole(facts, user, role === "ADMIN" ? "admin" : "member")),
        answer: () => nextSync,
    } as Action<"conversations.SetMemberRole">,
    "conversations.TransferOwnership": {
        ...ofGroup,
        summary: (summary, { user }, _, me) =>
            changeFacts(summary, (facts) => setRole(setRole(facts, me, "admin"), user, "owner")),
        answer: () => nextSync,
    } as Action<"conversations.TransferOwnership">,
    // Who is invited is not shown.
    "conversations.WithdrawInvitation": {
        ...ofGroup, summary: unchanged, answer: () => nextSync,
    } as Action<"conversations.WithdrawInvitation">,
};

function bringForward(summary: Summary, _: unknown, atUs: number): Summary {
    return { ...summary, place: { ...summary.place, activeAt: Math.max(summary.place.activeAt, atUs) } };
}

// MARK: People

const people = {
    "conversations.AcceptRequest": {
        ...ofRequest,
        summary: (summary) => changeFacts({ ...summary, section: "inbox" },
            () => ({ section: "inbox", request: "accepted", requester: undefined, hasLeft: false })),
        answer: answerConversation,
    } as Action<"conversations.AcceptRequest">,
    "conversations.DeclineRequest": {
        ...ofRequest, summary: hide, answer: () => nextSync,
    } as Action<"conversations.DeclineRequest">,
    "conversations.WithdrawRequest": {
        ...ofRequest, summary: hide, answer: () => nextSync,
    } as Action<"conversations.WithdrawRequest">,
    "conversations.BlockUser": {
        ...aboutPerson,
        unsent: () => ({ type: "request" }),
        summary: (summary) => changeFacts({ ...summary, section: "blocked" },
            () => ({ section: "blocked", request: "blocked" })),
        blocked: (blocked, person) => (blocked.some((it) => it.id === person.id) ? blocked : [...blocked, person]),
        answer: () => nextSync,
    } as Action<"conversations.BlockUser">,
    "conversations.UnblockUser": {
        ...aboutPerson,
        unsent: () => ({ type: "request" }),
        summary: (summary) => changeFacts(
            summary.section === "blocked" ? { ...summary, section: "inbox" } : summary,
            (facts) => (facts.section === "blocked" ? { section: "inbox", request: "accepted" } : {})),
        blocked: (blocked, person) => blocked.filter((it) => it.id !== person.id),
        answer: () => nextSync,
    } as Action<"conversations.UnblockUser">,
    "conversations.UpdateProfile": {
        lane: () => ownLane,
        key: (_, me) => me,
        unsent: () => ({ type: "profile" }),
        profile: (profile, request) => ({
            ...profile,
            user: {
                ...profile.user,
                username: request.username ?? profile.user.username,
                displayName: request.display_name ?? profile.user.displayName,
                photo: request.photo_url === undefined ? profile.user.photo : request.photo_url || undefined,
            },
            email: request.email === undefined ? profile.email : request.email || undefined,
            isEmailConfirmed: profile.isEmailConfirmed
                && (request.email === undefined || (request.email || undefined) === profile.email),
            isFindableByEmail: request.findable_by_email ?? profile.isFindableByEmail,
        }),
        answer: (reply, _, me) => atConversations(me, reply.position),
    } as Action<"conversations.UpdateProfile">,
};

function hide(summary: Summary): Summary {
    return changeFacts({ ...summary, section: undefined }, () => ({ section: undefined }));
}

// MARK: Reminders, decisions, events, suggestions

const entities = {
    "entities.CreateReminder": {
        ...ofReminder,
        creates: true,
        list: {
            kind: "Reminder",
            change: (request, atUs) => ({
                add: reminderOf(create("Reminder", {
                    id: request.id, title: request.title, due_at_us: request.due_at_us, time_zone: request.time_zone,
                    conversation: request.conversation, source_message: request.source_message, created_at_us: atUs,
                })),
            }),
        },
        answer: answerReminder,
    } as Action<"entities.CreateReminder">,
    "entities.UpdateReminder": {
        ...ofReminder,
        list: {
            kind: "Reminder",
            change: ({ id, title, due_at_us: due }) => changeReminder(id, (reminder) => ({
                title: title ?? reminder.title, dueAt: due === undefined ? reminder.dueAt : date(due),
            })),
        },
        answer: answerReminder,
    } as Action<"entities.UpdateReminder">,
    "entities.CompleteReminder": {
        ...ofReminder,
        list: {
            kind: "Reminder", change: ({ id, completed }) => changeReminder(id, () => ({ isCompleted: completed })),
        },
        answer: answerReminder,
    } as Action<"entities.CompleteReminder">,
    "entities.DeleteReminder": {
        ...ofReminder,
        list: { kind: "Reminder", change: ({ id }) => ({ remove: id }) },
        answer: answerReminder,
    } as Action<"entities.DeleteReminder">,
    "entities.CreateDecision": {
        ...ofDecision,
        creates: true,
        list: {
            kind: "Decision",
            change: (request, atUs, me) => ({
                add: newDecision(request, atUs, me),
                replaces: { id: request.supersedes, parts: { supersededBy: request.id } },
            }),
        },
        answer: answerDecision,
    } as Action<"entities.CreateDecision">,
    "entities.DeleteDecision": {
        ...ofDecision,
        list: { kind: "Decision", change: ({ id }) => ({ remove: id }) },
        answer: answerDecision,
    } as Action<"entities.DeleteDecision">,
    "entities.CreateEvent": {
        ...ofEvent,
        creates: true,
        list: { kind: "Event", change: (request, atUs, me) => ({ add: newEvent(request, atUs, me) }) },
        // What I change meanwhile is a change of what I created, which has the version 1.
        answer: (reply, request, me) => ({ ...answerEvent(reply, request, me), about: request.id, seq: 1 }),
    } as Action<"entities.CreateEvent">,
    "entities.UpdateEvent": {
        ...ofEvent,
        numbered: (version) => ({ version }),
        list: {
            kind: "Event",
            change: ({ id, title, location, notes, recurrence, when }) => eventChange(id, (event) => ({
                title: title ?? event.title, location: location ?? event.location, notes: notes ?? event.notes,
                recurrence: recurrence === undefined ? event.recurrence : recurrence || undefined,
                ...(when && placed(when)),
            })),
        },
        // Beyond the next version there is a change of somebody else.
        answer: (reply, request, me) => ({
            ...answerEvent(reply, request, me), about: request.id,
            seq: reply.event?.version === request.version + 1 ? reply.event.version : undefined,
        }),
    } as Action<"entities.UpdateEvent">,
    "entities.AnswerEvent": {
        ...ofEvent,
        list: {
            kind: "Event",
            change: ({ id, status, guests, host }, _, me) => eventChange(id, (event) => {
                const declines = status === "ATTENDANCE_STATUS_DECLINED" && event.creator !== me;
                return {
                    ...(status === "ATTENDANCE_STATUS_UNSPECIFIED" ? {} : { answer: answerOf(status), guests }),
                    ...(host === undefined ? {} : { isHost: host, isAskedToHost: false }),
                    ...(declines ? { isHost: false, isAskedToHost: false } : {}),
                };
            }),
        },
        answer: answerEvent,
    } as Action<"entities.AnswerEvent">,
    "entities.InviteConversation": {
        ...ofEvent,
        list: {
            kind: "Event",
            change: ({ id, conversation }) => eventChange(id, ({ conversations }) => ({
                conversations: conversations.includes(conversation) ? conversations : [...conversations, conversation],
            })),
        },
        answer: answerEvent,
    } as Action<"entities.InviteConversation">,
    "entities.UninviteConversation": {
        ...ofEvent,
        list: {
            kind: "Event",
            change: ({ id, conversation }) => eventChange(id, ({ conversations }) => ({
                conversations: conversations.filter((it) => it !== conversation),
            })),
        },
        answer: answerEvent,
    } as Action<"entities.UninviteConversation">,
    // Whoever is asked is no host until they accept.
    "entities.SetEventHost": {
        ...ofEvent,
        list: {
            kind: "Event",
            change: ({ id, user, host }) => eventChange(id, ({ hosts }) => ({
                hosts: host ? hosts : hosts.filter((it) => it !== user),
            })),
        },
        answer: answerEvent,
    } as Action<"entities.SetEventHost">,
    "entities.CancelEvent": {
        ...ofEvent,
        list: { kind: "Event", change: ({ id }) => eventChange(id, () => ({ isCancelled: true })) },
        answer: answerEvent,
    } as Action<"entities.CancelEvent">,
    "entities.DeleteEvent": {
        ...ofEvent,
        list: { kind: "Event", change: ({ id }) => ({ remove: id }) },
        answer: answerEvent,
    } as Action<"entities.DeleteEvent">,
    // What it makes is for the server to say.
    "entities.AcceptSuggestion": {
        ...aboutEntity,
        unsent: () => ({ type: "suggestion" }),
        list: { kind: "Suggestion", change: ({ id }) => ({ remove: id }) },
        answer: (reply, _, me) => atEntities(me, reply.suggestion?.position, reply.event?.position,
            reply.reminder?.position, reply.decision?.position),
    } as Action<"entities.AcceptSuggestion">,
    "entities.DismissSuggestion": {
        ...aboutEntity,
        // What cannot be dismissed is no longer there.
        dropsRefusals: true,
        unsent: () => ({ type: "suggestion" }),
        list: { kind: "Suggestion", change: ({ id }) => ({ remove: id }) },
        answer: (reply, _, me) => atEntities(me, reply.suggestion?.position),
    } as Action<"entities.DismissSuggestion">,
};

function newDecision(
    request: Methods["entities.CreateDecision"]["request"], atUs: number, me: string,
): Decision {
    return decisionOf(create("Decision", {
        id: request.id, user: me, text: request.text, conversation: request.conversation, shared: request.shared,
        source_message: request.source_message, supersedes: request.supersedes, created_at_us: atUs,
    }));
}

function newEvent(request: Methods["entities.CreateEvent"]["request"], atUs: number, me: string): Event {
    return { ...eventOf(create("Event", {
        id: request.id, creator: me, title: request.title, when: request.when, location: request.location,
        link: request.link, notes: request.notes, recurrence: request.recurrence, created_at_us: atUs,
        conversations: request.conversations, accepted: 1, coming: 1,
        own: { status: "ATTENDANCE_STATUS_ACCEPTED", host: true },
    })), ...(request.when && placed(request.when)) };
}

/** When an event is, until the server knows the zone's rules: the day alone orders it. */
function placed({ date, time, time_zone, duration_minutes }: EventTime): Partial<Event> {
    const startsAt = new Date(`${date}T${time || "00:00"}Z`);
    return {
        date, time: time || undefined, timeZone: time_zone, minutes: duration_minutes,
        startsAt: isNaN(startsAt.getTime()) ? undefined : startsAt,
    };
}

/** The kinds of actions that this version knows. */
export const actions = { ...messages, ...conversations, ...people, ...entities };

/** The name of an action's method. */
export type ActionName = keyof typeof actions;

/** Returns an action by the name of its method; absent: this version does not know it. */
export function actionOf(method: string): Action<MethodName> | undefined {
    return (actions as unknown as Record<string, Action<MethodName>>)[method];
}

