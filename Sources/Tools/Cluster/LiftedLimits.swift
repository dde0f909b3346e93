extension ClusterConfiguration {
    /// Settings of each service with which one machine may do what many would: nobody meets a limit of a rate,
    /// nor that of a disk with little room.
    public static let liftedLimits: [String: [String: String]] = [
        "gateway": [
            "PARLEY_LIMITS_REQUESTS_PER_SECOND": "1000000", "PARLEY_LIMITS_REQUESTS_BURST": "1000000",
            "PARLEY_LIMITS_REQUESTS_IN_FLIGHT": "10000",
            "PARLEY_LIMITS_ANONYMOUS_PER_ADDRESS": "10000",
            "PARLEY_LIMITS_ADDRESS_CONNECTIONS_BURST": "1000000",
            "PARLEY_LIMITS_NEWCOMERS": "1000000", "PARLEY_LIMITS_NEWCOMERS_PER_ADDRESS": "1000000",
            "PARLEY_LIMITS_EXCHANGES_PER_ACCOUNT": "1000",
            "PARLEY_LIMITS_SESSIONS_PER_ACCOUNT": "1000000", "PARLEY_LIMITS_SESSIONS_PER_DEVICE": "1000000",
        ],
        "conversations": [
            "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_INVITATIONS_PER_HOUR": "1000000",
            "PARLEY_LIMITS_PROFILE_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000000", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_MAILS_PER_ADDRESS": "1000000", "PARLEY_LIMITS_CODE_TRIES_PER_ADDRESS": "1000000",
            "PARLEY_LIMITS_DEVICE_LINKS_PER_ADDRESS": "1000000",
        ],
        "messaging": [
            "PARLEY_LIMITS_MESSAGES_PER_DAY": "1000000000", "PARLEY_LIMITS_DELIVERED_BYTES_PER_SECOND": "1000000000",
            "PARLEY_FILES_FREE_BYTES": "0",
        ],
        "entities": ["PARLEY_LIMITS_ENTITY_CHANGES_PER_MINUTE": "1000000"],
        "notifications": ["PARLEY_LIMITS_PUSH_CHANGES_PER_MINUTE": "1000000"],
    ]
}
