/// All pages for people who are signed in.
enum ConsolePages {
    static let routes: [ConsoleRoute] = AccountPages.routes
}
