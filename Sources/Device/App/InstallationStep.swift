/// What to do for a caller that wants a token. Pure.
enum InstallationStep: Equatable {
    case use(InstallationToken)
    case refresh(refreshToken: String)
    case register

    /// Tokens are renewed when less than an hour is left.
    static let renewalSeconds: Int64 = 3600
    /// No token lives longer than a year: a later end comes from a damaged record or a clock that was wrong.
    static let longestLifetimeSeconds: Int64 = 31_536_000
    /// How far the time of day may go back without casting doubt on a token's end.
    static let clockToleranceSeconds: Int64 = 300

    static func next(_ record: InstallationRecord, forcingRefresh: Bool, nowSeconds: Int64) -> InstallationStep {
        guard let refreshToken = record.refreshToken else { return .register }
        guard !forcingRefresh, let token = record.authToken, let expires = record.authTokenExpires,
            let obtained = record.authTokenObtained,
            // Obtained in the future: the clock was ahead then, and the end is wrong by as much.
            obtained <= nowSeconds + clockToleranceSeconds,
            expires > nowSeconds + renewalSeconds, expires <= nowSeconds + longestLifetimeSeconds
        else { return .refresh(refreshToken: refreshToken) }
        return .use(InstallationToken(token: token, expires: expires))
    }
}
