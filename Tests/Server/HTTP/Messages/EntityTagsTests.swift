import HearthHTTP
import Testing

struct EntityTagsTests {
    private func tags(_ values: [String], _ name: String = "If-Match") throws -> EntityTags? {
        var headers: HTTPHeaders = [:]
        for value in values { headers.add(name, value) }
        let head = try RequestHead(method: .get, target: "/", headers: headers)
        return name == "If-Match" ? head.ifMatch : head.ifNoneMatch
    }

    @Test(
        "A tag is recognized in every form in which proxies and clients send it back",
        arguments: [
            "x-1", "\"x-1\"", "W/\"x-1\"", "\"x-1-gzip\"", "W/\"x-1-gzip\"", "\"x-1-br\"", "other,x-1",
            "\"other\", W/\"x-1\"",
            "  x-1 ", "\"a,b\" , \"x-1\"", "W/x-1", "\"x-1", "\t\"x-1\"",
        ])
    func known(field: String) throws {
        let tags = try #require(try tags([field]))
        #expect(tags.contains("x-1") && tags.contains("\"x-1\"") && tags.allow("x-1"))
        #expect(!tags.isAny && !tags.contains("x") && !tags.contains("x-1-gzip"))
        #expect(try self.tags([field], "If-None-Match") == tags)
    }

    @Test(
        "Other text is another tag, or none",
        arguments: [
            "", " ", ",", "\"\"", "W/", "W/\"\"", "x-10", "x", "x-1-gzip", "X-1", "\"x-1-zip\"", "\"x-1,y\"",
        ])
    func unknown(field: String) throws {
        let tags = try #require(try tags([field]))
        #expect(!tags.contains("x-1") && !tags.allow("x-1") && !tags.isAny)
    }

    @Test("Any state is allowed by a star, which is no tag itself")
    func any() throws {
        for field in ["*", "x, *", "\"x\" , *"] {
            let tags = try #require(try tags([field]))
            #expect(tags.isAny && tags.allow("y") && !tags.contains("y") && !tags.contains("*"))
        }
    }

    @Test("A star in quotes is a tag as any other")
    func quotedStar() throws {
        for field in ["\"*\"", "W/\"*\"", "x, \"*\""] {
            let tags = try #require(try tags([field]))
            #expect(!tags.isAny && !tags.allow("y") && tags.contains("\"*\"") && tags.allow("\"*\""))
        }
    }

    @Test("Several fields are one list; without a field there is no condition")
    func fields() throws {
        let tags = try #require(try tags(["\"a\"", "W/\"b\""]))
        #expect(tags.contains("a") && tags.contains("b"))
        #expect(try self.tags([]) == nil)
    }

    @Test(
        "The first tag of a list",
        arguments: [("a, b", "a"), ("*, W/\"b-gzip\"", "b"), (" ,\"c\"", "c"), ("*", nil), ("", nil), ("\"*\"", "*")]
            as [(String, String?)])
    func first(field: String, expected: String?) { #expect(EntityTags.first(in: field).map(String.init) == expected) }
}
