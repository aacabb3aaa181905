import HearthCrypto

/// Two keys for the whole test run: making one takes a noticeable moment.
enum SampleKeys {
    private static let firstResult = Result { try RSAPrivateKey.generate() }
    private static let secondResult = Result { try RSAPrivateKey.generate() }

    static func first() throws -> RSAPrivateKey { try firstResult.get() }
    static func second() throws -> RSAPrivateKey { try secondResult.get() }

    /// The public key of RFC 7515, appendix A.2.
    static let rfc7515 = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
        NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
        P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
        9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
        FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
        oQIDAQAB
        -----END PUBLIC KEY-----

        """
}
