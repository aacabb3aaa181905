import HearthHTTP
import Testing

struct HTTPHeadersTests {
    @Test func namesCompareWithoutCaseAndKeepTheirOrder() {
        var headers: HTTPHeaders = ["Set-Cookie": "a", "ETag": "1"]
        headers.add("set-cookie", "b")
        #expect(headers["SET-COOKIE"] == "a")
        #expect(headers.values("Set-cookie") == ["a", "b"])
        #expect(headers.map(\.name) == ["Set-Cookie", "ETag", "set-cookie"])
    }

    @Test func settingReplacesAllAndNilRemoves() {
        var headers: HTTPHeaders = ["A": "1", "a": "2", "B": "3"]
        headers["A"] = "4"
        #expect(headers.values("a") == ["4"])
        headers["b"] = nil
        #expect(headers.count == 1)
    }

    @Test(arguments: ["x\r\nSet-Cookie: stolen=1", "x\ny", "x\u{0}y", "x\u{7F}y", "\r\n\r\n<html>"])
    func controlCharactersInValuesBecomeSpaces(value: String) throws {
        let headers: HTTPHeaders = ["Location": value]
        let kept = try #require(headers["Location"])
        #expect(kept.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(kept.utf8.count == value.utf8.count)
    }

    @Test func exactlyTheBytesOfATokenMakeAName() {
        for byte in UInt8.min...127 {
            let name = "a" + String(UnicodeScalar(byte))
            let headers: HTTPHeaders = [name: "x"]
            let isAllowed =
                "!#$%&'*+-.^_`|~".utf8.contains(byte) || UnicodeScalar(byte).properties.isAlphabetic
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            #expect(headers.count == (isAllowed ? 1 : 0), "byte \(byte)")
        }
    }

    @Test(arguments: ["", "a b", "a:", "a\r\nb", "naïve"])
    func fieldsWithImpossibleNamesAreLeftOut(name: String) {
        let headers: HTTPHeaders = [name: "x"]
        #expect(headers.count == 0)
    }
}
