import Foundation
import HearthCrypto
import Testing

@testable import HearthStorageS3

/// The examples that Amazon publishes with the specification: fixed keys, times, requests and signatures.
@Suite("Signatures of requests") struct S3SignerTests {
    private let signer: S3Signer
    /// 2013-05-24 00:00:00.
    private let moment: Int64 = 1_369_353_600
    private let host = "examplebucket.s3.amazonaws.com"
    private let nothing = SHA256Hasher.hash([])

    init() throws {
        signer = S3Signer(
            credentials: try S3Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
    }

    private func authorization(_ request: S3Signer.Request, _ payload: SHA256Digest) -> String? {
        signer.headers(for: request, payload: payload, atSeconds: moment).first { $0.0 == "Authorization" }?.1
    }

    private func signature(_ request: S3Signer.Request, _ payload: SHA256Digest) -> String? {
        authorization(request, payload)?.components(separatedBy: "Signature=").last
    }

    @Test("A part of an object")
    func getObject() {
        let request = S3Signer.Request(
            method: "GET", host: host, path: "/test.txt", headers: [("Range", "bytes=0-9")])
        #expect(
            authorization(request, nothing)
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("An object with a strange name")
    func putObject() {
        let request = S3Signer.Request(
            method: "PUT", host: host, path: "/test%24file.text",
            headers: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ])
        #expect(
            signature(request, SHA256Hasher.hash("Welcome to Amazon S3.".utf8))
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("A query without a value, and one with two")
    func queries() {
        #expect(
            signature(S3Signer.Request(method: "GET", host: host, path: "/", query: [("lifecycle", "")]), nothing)
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        let list = S3Signer.Request(method: "GET", host: host, path: "/", query: [("prefix", "J"), ("max-keys", "2")])
        #expect(signature(list, nothing) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("A link for a day")
    func link() {
        let query = signer.presignedQuery(
            for: S3Signer.Request(method: "GET", host: host, path: "/test.txt"), atSeconds: moment,
            lifetimeSeconds: 86_400)
        #expect(
            query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test("The items of a query stand in the order of their encoded names, then of their values")
    func order() {
        #expect(S3Signer.query([("b", "2"), ("a", "x y"), ("a", "1"), ("A", "")]) == "A=&a=1&a=x%20y&b=2")
    }

    @Test("A token for a while is part of what is signed")
    func sessionToken() throws {
        let credentials = try S3Credentials(accessKey: "A", secretKey: "B", sessionToken: "for-a-while")
        let headers = S3Signer(credentials: credentials, region: "eu-west-1").headers(
            for: S3Signer.Request(method: "GET", host: host, path: "/"), payload: nothing, atSeconds: moment)
        #expect(headers.contains { $0 == ("x-amz-security-token", "for-a-while") })
        #expect(headers.contains { $0.0 == "Authorization" && $0.1.contains("x-amz-security-token,Signature=") })
    }
}
