// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

/** What api/identities.ts adds to the tables. */
export const identityMessages: { readonly [name: string]: string } = {
    ListIssuersRequest: "",
    ListIssuersReply: "issuers *.Issuer,guests o",
    Issuer: "name s,url s,audiences *s,makes_accounts o,nonce :IssuerNonce,pages o",
    SignInWithTokenRequest: "id i,token s16384,nonce s256,device_name s256,display_name s512,code s64,proof s4096",
    SignInWithCodeRequest: "id i,code s64,verifier s128,device_name s256,display_name s512,registration_code s64,proof s4096",
    OwnerProof: "password s256,token s16384,nonce s256,code s64,verifier s128",
    ListIdentitiesRequest: "",
    ListIdentitiesReply: "identities *.Identity,with_password o",
    Identity: "id s,issuer s,url s,label s,linked_at_us l,last_used_us l",
    LinkIdentityRequest: "token s16384,nonce s256,owner .OwnerProof,code s64,verifier s128",
    UnlinkIdentityRequest: "identity s64,owner .OwnerProof",
    ChangePasswordRequest: "new_password s256,owner .OwnerProof,end_other_devices o,username s128",
    BeginDeviceLinkRequest: "device_name s256",
    DeviceLinkBegun: "code s,secret s,ends_at_us l",
    GetDeviceLinkRequest: "code s64",
    DeviceLink: "device_name s,address s,begun_at_us l",
    ApproveDeviceLinkRequest: "code s64",
    FinishDeviceLinkRequest: "code s64,secret s64",
    RequestPasswordResetRequest: "email s254",
    ResetPasswordRequest: "email s254,code s64,new_password s256",
    RequestEmailCodeRequest: "",
    ConfirmEmailRequest: "code s64",
};

export const identityEnums: { readonly [name: string]: string } = {
    IssuerNonce: "ISSUER_NONCE_UNSPECIFIED,NO_NONCE,PLAIN_NONCE,SHA256_NONCE",
};

export const identityMethods: { readonly [name: string]: string } = {
    conversations: "ListIssuers,SignInWithToken SignedIn,SignInWithCode SignedIn,ListIdentities,LinkIdentity ListIdentitiesReply,UnlinkIdentity Done,ChangePassword Done,RequestPasswordReset Done,ResetPassword Done,RequestEmailCode Done,ConfirmEmail Profile,BeginDeviceLink DeviceLinkBegun,GetDeviceLink DeviceLink,ApproveDeviceLink Done,FinishDeviceLink SignedIn",
};
