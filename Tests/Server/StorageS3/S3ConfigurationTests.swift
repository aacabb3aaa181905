import HearthTestSupport
import Testing

@testable import HearthStorageS3

@Suite("Settings of a model store") struct S3ConfigurationTests {
    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return String(describing: error)
        }
    }

    private func refusal(_ url: String) -> String? { message { _ = try S3Configuration(url: url) } }

    @Test("Everything can be said in one address")
    func all() throws {
        let read = try S3Configuration(
            url: "s3://team.models/a%20b/c/?endpoint=https://Store.example:9000/&region=eu-west-1&addressing=path"
                + "&ca=%2Fetc%2Fca.pem&timeout=7&attempts=2")
        #expect(read.bucket == "team.models" && read.prefix == "a b/c" && read.key("x") == "a b/c/x")
        #expect(read.endpoint == "https://store.example:9000" && read.region == "eu-west-1")
        #expect(read.addressing == .path && read.caFile == "/etc/ca.pem")
        #expect(read.timeoutSeconds == 7 && read.attempts == 2)
    }

    @Test("A bucket is enough for Amazon")
    func defaults() throws {
        let read = try S3Configuration(url: "s3://models")
        #expect(read.endpoint == "https://s3.us-east-1.amazonaws.com" && read.prefix.isEmpty && read.key("x") == "x")
        #expect(read.addressing == .path && read.caFile == nil && read.timeoutSeconds == 20 && read.attempts == 4)
        #expect(try S3Configuration(url: "s3://models?region=eu-west-1&addressing=host").endpoint.contains("eu-west-1"))
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("https://models", "begins with s3://"), ("s3://", "3 to 63"), ("s3://ab", "3 to 63"),
            ("s3://a/b", "3 to 63"), ("s3://mo dels", "3 to 63"), ("s3://models/../x", "no part that is"),
            ("s3://models/a/./b", "no part that is"), ("s3://models/a%0Ab", "no control characters"),
            ("s3://models/%zz", "invalid % sequence"), ("s3://models?colour=red", "unknown parameter 'colour'"),
            ("s3://models?region", "'region'"), ("s3://models?region=", "'region'"),
            ("s3://models?region=a/b", "region"), ("s3://models?region=x&region=y", "twice"),
            ("s3://models?addressing=dns", "path or host"), ("s3://my.models?addressing=host", "dot"),
            ("s3://models?timeout=0", "1 to 600"), ("s3://models?attempts=11", "1 to 10"),
            ("s3://models?attempts=many", "1 to 10"), ("s3://models?endpoint=ftp://x", "endpoint"),
            ("s3://models?endpoint=store.example", "endpoint"),
            ("s3://models?endpoint=https://x.example/path", "only scheme, host and port"),
            ("s3://models?endpoint=https://x.example?a=b", "only scheme, host and port"),
        ])
    func wrong(url: String, part: String) throws {
        let text = try #require(refusal(url))
        #expect(text.contains(part), "\(text)")
    }

    @Test("An error shows no secret that somebody wrote into the address")
    func secretsInAddress() throws {
        for url in [
            "s3://KEY:s3cr3t@models", "s3://models?endpoint=https://KEY:s3cr3t@host", "s3://models?secret=s3cr3t",
        ] {
            let text = try #require(refusal(url))
            #expect(!text.contains("s3cr3t") && !text.contains("KEY:"), "\(text)")
        }
        #expect(try #require(refusal("s3://KEY:s3cr3t@models")).contains("AWS_ACCESS_KEY_ID"))
    }

    @Test("Keys come from a file, else from the environment, else from the file that it names")
    func credentials() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            # comment
            [default]
            aws_access_key_id = from-file
            aws_secret_access_key=a=b
            region = ignored

            [other]
            aws_access_key_id=other
            aws_secret_access_key=x
            aws_session_token=token
            """.utf8, to: "credentials")
        let environment = ["AWS_ACCESS_KEY_ID": "from-environment", "AWS_SECRET_ACCESS_KEY": "s"]
        let own = try S3Credentials.find(file: file, environment: environment)
        #expect(own.accessKey == "from-file" && own.secretKey == "a=b" && own.sessionToken == nil)
        #expect(try S3Credentials.find(file: nil, environment: environment).accessKey == "from-environment")
        let shared = try S3Credentials.find(
            file: nil, environment: ["AWS_SHARED_CREDENTIALS_FILE": file, "AWS_PROFILE": "other"])
        #expect(shared.accessKey == "other" && shared.sessionToken == "token")
    }

    @Test("Missing and malformed keys are named, and not shown")
    func wrongCredentials() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("[default]\naws_access_key_id = A\ns3cr3t\n".utf8, to: "a")
        let short = try folder.write("[default]\naws_access_key_id = A\n".utf8, to: "b")
        let cases: [(String?, [String: String], String)] = [
            (nil, [:], "There are no keys"), (nil, ["AWS_ACCESS_KEY_ID": "A"], "not AWS_SECRET_ACCESS_KEY"),
            (nil, ["AWS_SECRET_ACCESS_KEY": "s3cr3t"], "not AWS_ACCESS_KEY_ID"), (file, [:], "Line 3"),
            (short, [:], "needs aws_access_key_id"), (short, ["AWS_PROFILE": "none"], "no section [none]"),
            (folder.path + "/none", [:], "cannot be read"),
            (nil, ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s3cr3t\n"], "strange characters"),
        ]
        for (file, environment, part) in cases {
            let text = try #require(message { _ = try S3Credentials.find(file: file, environment: environment) })
            #expect(text.contains(part) && !text.contains("s3cr3t"), "\(text)")
        }
    }

    @Test("A description and a dump of the keys show none of them")
    func descriptions() throws {
        let keys = try S3Credentials(accessKey: "access", secretKey: "s3cr3t", sessionToken: "t0ken")
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped, "\([keys])"] {
            #expect(!text.contains("s3cr3t") && !text.contains("t0ken") && !text.contains("access"), "\(text)")
        }
    }
}
