// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.web.SignIns;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The page in a Chromium: what is seen there is what the servers hold, by keyboard alone, in dark and light, in a narrow window.
 * For the profile {@code browser}; without a browser it fails. Pictures are left in {@code target/screenshots}.
 */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorPageBrowserIT {
    private static final String TOKEN = "sixteen-characters-or-more";
    private static final Path PICTURES = Path.of("target/screenshots");
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int ENTRIES = 3_000;
    private static final int MOST_BYTES = 45 * 1024;
    private static final int PAINTS = 5;
    private static final String RIGHT = "\uE014";
    private static final String TAB = "\uE004";
    private static final String ENTER = "\uE007";
    private static final String HEALTH = "return document.querySelector('#health').textContent";
    private static final String CELL =
            "return document.querySelector('#partition-rows').rows[%d]?.cells[%d]?.textContent ?? ''";
    private static final String TEXT = "return document.querySelector('%s').textContent";

    /** A name for each element that keys have to reach: of radio buttons, the one that is chosen. */
    private static final String NAME =
            "const name = (each) => each.id || each.getAttribute('aria-labelledby') || each.className || each.name"
                    + " || each.closest('form')?.id + ' ' + each.tagName;";

    private static final String REACHABLE = NAME
            + "return [...document.querySelectorAll('a[href], button, input, [tabindex=\"0\"]')].filter((each) =>"
            + " !each.disabled && each.tabIndex >= 0 && each.checkVisibility() && !(each.type === 'radio' &&"
            + " !each.checked)).map(name).join('\\n"
            + "')";

    /** What is wider than its box, and so cut off or scrolled. */
    private static final String CUT_OFF = "return [...document.querySelectorAll('main *')].filter((each) =>"
            + " each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !=="
            + " 'inline').map((each) => each.outerHTML).join()";

    private static final String FOCUSED = NAME
            + "const style = getComputedStyle(document.activeElement);return name(document.activeElement) +"
            + " (style.outlineStyle === 'solid' ? '' : ' is not seen to have the focus')";

    private final RedisClient redis = RedisClient.create();
    private final Connected connected = new Connected();
    private LocalServers servers;
    private List<LocalServer> three;
    private CacheManager manager;
    private OperatorPage page;
    private Browser browser;

    /** As a command has its options. */
    @Command(name = "connected")
    private static final class Connected {
        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();
    }

    @BeforeAll
    void open() throws Exception {
        browser = Browser.start(PICTURES.resolve("driver.log"));
        servers = TestServers.none();
        three = servers.start(3);
        List<String> addresses = three.stream().map(LocalServer::uri).toList();
        new CommandLine(connected).parseArgs("--partitions=" + String.join(",", addresses));
        manager = KeyslotManagers.openPatiently("browser", addresses, Map.of("keyslot.trafficReports", "1s"));
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.put("k" + i * i, "of " + i);
        }
        manager.createCache("customer", new PartitionedConfiguration<String, String>())
                .putAll(entries);
        manager.createCache("written", new PartitionedConfiguration<String, String>());
        page = OperatorPage.open(
                0, new SignIns(TOKEN), new OperatorPage.Rhythm(Duration.ofSeconds(5), 100_000), connected.connection);
    }

    @AfterAll
    void close() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (page != null) {
            page.close();
        }
        if (manager != null) {
            manager.close();
        }
        if (servers != null) {
            servers.close();
        }
        redis.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    @BeforeEach
    void begin() throws Exception {
        browser.prefer("light");
        browser.wide();
        browser.open(page.address());
        awaitHealth("All is well since \\d\\d:\\d\\d: 3 of 3 partitions answer");
    }

    private void awaitHealth(String pattern) {
        await().atMost(LONGEST).until(() -> script(HEALTH), text -> text.matches(pattern));
    }

    /** Opens a tab by keys: the next ones are right of it. */
    private void openTab(String id) throws Exception {
        tabTo("moves-tab");
        for (int i = 0; i < 3 && !script("return document.activeElement.id").equals(id); i++) {
            browser.type(RIGHT);
        }
        assertThat(script("return document.activeElement.getAttribute('aria-selected')"))
                .isEqualTo("true");
    }

    private String script(String script) throws Exception {
        return browser.script(script);
    }

    private void awaitText(String script, String expected) {
        await().atMost(LONGEST).until(() -> script(script), expected::equals);
    }

    /** Presses the tabulator until an element has the focus. */
    private void tabTo(String id) throws Exception {
        int most = 1 + script(REACHABLE).split("\n").length;
        for (int i = 0; i < most && !script("return document.activeElement.id").equals(id); i++) {
            browser.type(TAB);
        }
        assertThat(script("return document.activeElement.id")).isEqualTo(id);
    }

    private void signIn() throws Exception {
        openTab("keys-tab");
        tabTo("token");
        browser.type(TOKEN + ENTER);
        awaitText("return document.activeElement.id", "key");
    }

    private long keysOf(LocalServer server) {
        try (StatefulRedisConnection<String, String> connection = redis.connect(RedisURI.create(server.uri()))) {
            return connection.sync().dbsize();
        }
    }

    /** Returns how many entries the servers hold in each slot that has some. */
    private Map<Integer, Long> entriesBySlot() {
        return three.stream()
                .flatMap(server -> {
                    try (StatefulRedisConnection<String, String> connection =
                            redis.connect(RedisURI.create(server.uri()))) {
                        return ScanIterator.scan(connection.sync(), KeyScanArgs.Builder.matches("customer:*")).stream()
                                .toList()
                                .stream();
                    }
                })
                .collect(Collectors.groupingBy(HashSlot::of, TreeMap::new, Collectors.counting()));
    }

    @Test
    void partitions_areThoseOfTheServers() throws Exception {
        for (int i = 0; i < 3; i++) {
            LocalServer server = three.get(i);
            String keys = CELL.formatted(i, 3);
            await().atMost(LONGEST).until(() -> script(keys).equals("%,d".formatted(keysOf(server))));
            assertThat(script(CELL.formatted(i, 0))).isEqualTo("p%d127.0.0.1:%d".formatted(i + 1, server.port()));
            assertThat(script(CELL.formatted(i, 1))).startsWith("answers since ");
            assertThat(script(CELL.formatted(i, 2))).matches("[\\d.]+ MiB, no maxmemory");
            assertThat(script(CELL.formatted(i, 4))).matches("5,46[12] \\(33\u00a0%\\)");
            assertThat(script(CELL.formatted(i, 7))).matches("(Redis|Valkey) [\\d.]+, primary");
        }
        browser.picture(PICTURES.resolve("partitions-light.png"));
    }

    /** What is not known, before there is a second figure, is a dash. */
    @Test
    void figures_areThoseOfTheClient_andDrawn() throws Exception {
        String figure = "return document.querySelector('#%s strong').textContent";
        awaitText(figure.formatted("clients"), "1");
        assertThat(script(figure.formatted("memory"))).matches("[\\d.]+ MiB");
        assertThat(script(figure.formatted("hit-ratio"))).isEqualTo("–");
        Cache<String, String> customer = manager.getCache("customer");
        await().atMost(LONGEST).until(() -> {
            for (int i = 0; i < 90; i++) {
                customer.get("k" + i * i);
                customer.get("k" + i % 30 * i % 30);
                manager.<String, String>getCache("written").put("k", "value");
            }
            return script(figure.formatted("hit-ratio")).matches("[\\d.]+\u00a0%")
                    && script(figure.formatted("p99")).matches("[\\d.]+ (µs|ms)");
        });
        assertThat(script(figure.formatted("calls"))).isNotIn("–", "0");
        assertThat(script("return document.querySelector('#calls path').getAttribute('d')"))
                .startsWith("M");
        assertThat(script("return document.body.innerText"))
                .containsSubsequence("Caches", "customer", "written", "Events");
    }

    @Test
    void slots_areReadAndChosen_byKeysAlone() throws Exception {
        Map<Integer, Long> held = entriesBySlot();
        long most = held.values().stream().mapToLong(count -> count).max().orElseThrow();
        int fullest = held.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .findFirst()
                .orElseThrow()
                .getKey();
        String chosen = TEXT.formatted("#chosen");

        openTab("slots-tab");
        for (int i = 0;
                i < 10 && !script("return document.activeElement.type ?? ''").equals("radio");
                i++) {
            browser.type(TAB);
        }
        browser.type(RIGHT); // from calls to keys
        awaitText("return document.querySelector('#top-rows').rows[0]?.textContent ?? ''", text(fullest, most));
        assertThat(held.values().stream().mapToLong(count -> count).sum()).isEqualTo(ENTRIES);
        tabTo("slot");
        browser.type(Integer.toString(fullest));
        browser.type(TAB);
        assertThat(script(chosen)).isEqualTo("Slot %d, %s: %d keys".formatted(fullest, owner(fullest), most));
        assertThat(script("return document.querySelector('#heat').getAttribute('aria-describedby')"))
                .contains("chosen");
        browser.picture(PICTURES.resolve("slots-light.png"));
    }

    @Test
    void queues_areSeenAfterTheirMessages() throws Exception {
        awaitText(TEXT.formatted("#no-queues"), "No queue has messages.");
        PartitionedQueue<String> orders =
                manager.unwrap(PartitionedCacheManager.class).queue("order", String.class);
        for (int i = 0; i < 3; i++) {
            orders.send("in session", SendOptions.inSession("customer 99"));
        }
        openTab("feeds-tab");
        await().atMost(LONGEST)
                .until(() -> script("return document.querySelector('#queue-rows').textContent")
                        .matches("orderp[123]1020"));
        assertThat(script("return String(document.querySelector('#no-queues').checkVisibility())"))
                .isEqualTo("false");
        assertThat(violations()).isEmpty();
        browser.picture(PICTURES.resolve("queues-light.png"));
        for (int i = 0; i < 3; i++) {
            assertThat(orders.receive(LONGEST).orElseThrow().complete()).isTrue();
        }
        awaitText(TEXT.formatted("#queue-rows"), "");
    }

    private static String text(int slot, long keys) {
        return slot + owner(slot) + keys + (keys == 1 ? " key" : " keys");
    }

    /** Three partitions have about the same number of slots, in their order. */
    private static String owner(int slot) {
        return slot < 5_462 ? "p1" : slot < 10_923 ? "p2" : "p3";
    }

    @Test
    void everything_isReachedByTheTabulator_inItsOrder_andSeenToHaveTheFocus() throws Exception {
        assertThat(reached()).containsSubsequence("skip", "docs", "partitions-title", "moves-tab");
        for (String tab : List.of("slots", "keys")) {
            openTab(tab + "-tab");
            focusNothing();
            assertThat(reached())
                    .containsSubsequence(
                            tab.equals("slots")
                                    ? List.of("slots-tab", "measure", "slot")
                                    : List.of("keys-tab", "token"));
            focusNothing();
            openMoves();
        }
        signIn();
        await().atMost(LONGEST)
                .until(() -> script("return document.querySelector('#hot-rows').textContent")
                        .contains("customer:"));
        focusNothing();
        assertThat(reached()).containsSubsequence("skip", "keys-tab", "key", "hot-title");
    }

    private void openMoves() throws Exception {
        String unused = script("document.querySelector('#moves-tab').click(); return ''");
    }

    private void focusNothing() throws Exception {
        String unused = script(
                "document.activeElement.blur(); history.replaceState(null, '', '/'); location.hash = 'top'; return ''");
    }

    private List<String> reached() throws Exception {
        List<String> expected = List.of(script(REACHABLE).split("\n"));
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            browser.type(TAB);
            reached.add(script(FOCUSED));
        }
        assertThat(reached).isEqualTo(expected);
        return reached;
    }

    @Test
    void keys_areSeenWithTheToken_byKeysAlone() throws Exception {
        assertThat(script("return String(document.querySelector('#signed-in').hidden)"))
                .isEqualTo("true");
        assertThat(script("return document.body.innerText")).doesNotContain("customer:");
        openTab("keys-tab");
        tabTo("token");
        browser.type("wrong" + ENTER);
        awaitText(TEXT.formatted("#sign-in-answer"), "That is not the token");
        browser.type(TOKEN + ENTER);
        awaitText("return document.activeElement.id", "key");
        browser.type("customer:k0" + ENTER);
        await().atMost(LONGEST).until(() -> script(TEXT.formatted("#found")).contains("present"));
        assertThat(script(TEXT.formatted("#found"))).contains("slot" + HashSlot.of("customer:k0"));
        browser.picture(PICTURES.resolve("where-light.png"));
    }

    /** A browser sends cookies to all ports of a host; and it gives what a page stored to the next one at the same address. */
    @Test
    void token_isSentToThePageOnly_andForgottenWithIt() throws Exception {
        List<Map.Entry<String, List<String>>> sent = new CopyOnWriteArrayList<>();
        HttpServer foreign = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        foreign.createContext("/", exchange -> {
            sent.addAll(exchange.getRequestHeaders().entrySet());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        foreign.start();
        try {
            signIn();
            browser.type("customer:k0" + ENTER);
            await().atMost(LONGEST).until(() -> script(TEXT.formatted("#found")).contains("present"));
            assertThat(script("return document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })"))
                    .isEqualTo("{}");

            browser.open("http://127.0.0.1:%d/".formatted(foreign.getAddress().getPort()));
            assertThat(sent)
                    .isNotEmpty()
                    .noneMatch(field -> field.getKey().equalsIgnoreCase("Cookie")
                            || field.getValue().toString().contains(TOKEN));
        } finally {
            foreign.stop(0);
        }
        browser.open(page.address());
        awaitText("return String(document.querySelector('#sign-in').hidden)", "false");
        assertThat(script("return String(document.querySelector('#signed-in').hidden)"))
                .isEqualTo("true");
    }

    @Test
    void page_isSmall_andAsksNobodyElse() throws Exception {
        String resources = "performance.getEntriesByType('resource')";
        int bytes = Integer.parseInt(script("return String(" + resources
                + ".concat(performance.getEntriesByType('navigation')).reduce((sum, each) => sum +"
                + " each.transferSize, 0))"));
        List<Integer> paints = new ArrayList<>();
        for (int i = 0; i < PAINTS; i++) {
            browser.open(page.address());
            String paint =
                    "return String(Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ??"
                            + " -1))";
            paints.add(
                    Integer.parseInt(await().atMost(LONGEST).until(() -> script(paint), found -> !found.equals("-1"))));
        }
        String figures = "First paint %s ms, %d bytes, %s requests"
                .formatted(paints, bytes, script("return String(" + resources + ".length + 1)"));
        System.out.println(figures);
        Files.writeString(PICTURES.resolve("paint.txt"), figures + "\n");

        assertThat(bytes).isBetween(1, MOST_BYTES);
        assertThat(script("return " + resources + ".map((each) => each.name).filter((name) => !name.startsWith('"
                        + page.address() + "')).join()"))
                .isEmpty();
    }

    @Test
    void policy_refusesScriptsInThePage_andRequestsElsewhere() throws Exception {
        assertThat(script("const made = document.createElement('script'); made.textContent = 'window.ran = true';"
                        + " document.head.append(made); return String(window.ran)"))
                .isEqualTo("undefined");
        assertThat(browser.promised("new Promise((heard) => { document.addEventListener('securitypolicyviolation',"
                        + " (event) => heard(event.effectiveDirective), { once: true });"
                        + " fetch('http://127.0.0.1:" + three.get(0).port() + "/').catch(() => {}); })"))
                .isEqualTo("connect-src");
    }

    @Test
    void page_isForEverybody_inDarkAndLight_wideAndNarrow() throws Exception {
        signIn();
        for (String scheme : List.of("dark", "light")) {
            browser.prefer(scheme);
            awaitText(
                    "return getComputedStyle(document.body).backgroundColor",
                    scheme.equals("dark") ? "rgb(20, 24, 30)" : "rgb(255, 255, 255)");
            assertThat(violations()).as(scheme).isEmpty();
            browser.picture(PICTURES.resolve("wide-%s.png".formatted(scheme)));
            browser.narrow(390);
            awaitText("return String(document.documentElement.scrollWidth)", "390");
            assertThat(script(CUT_OFF)).isEmpty();
            assertThat(violations()).as("%s, narrow", scheme).isEmpty();
            browser.picture(PICTURES.resolve("narrow-%s.png".formatted(scheme)));
            browser.wide();
        }
    }

    /** Returns what axe-core finds, and how; it comes with the profile. */
    private String violations() throws Exception {
        String unused = script(axe() + "; return ''");
        return browser.promised("axe.run().then((found) => found.violations.map((each) => each.id + ': '"
                + " + each.nodes.map((node) => node.html).join(' ')).join('\\n'))");
    }

    private static String axe() throws IOException {
        ClassLoader loader = OperatorPageBrowserIT.class.getClassLoader();
        String pom = "META-INF/maven/org.webjars.npm/axe-core/pom.properties";
        Properties properties = new Properties();
        try (InputStream in = loader.getResourceAsStream(pom)) {
            assertThat(in).as("axe-core is there with -Pthorough only").isNotNull();
            properties.load(in);
        }
        String script =
                "META-INF/resources/webjars/axe-core/%s/axe.min.js".formatted(properties.getProperty("version"));
        try (InputStream in = loader.getResourceAsStream(script)) {
            assertThat(in).as(script).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** With servers of its own: those of the others keep what they hold. */
    @Test
    void serverThatIsKilled_isSilent_untilItAnswersAgain() throws Exception {
        try (LocalServers others = TestServers.none()) {
            List<LocalServer> two = others.start(2);
            Connected these = new Connected();
            new CommandLine(these)
                    .parseArgs("--partitions=" + two.get(0).uri() + ","
                            + two.get(1).uri());
            try (OperatorPage other = OperatorPage.open(
                    0, new SignIns(null), new OperatorPage.Rhythm(Duration.ofSeconds(5), 100), these.connection)) {
                browser.open(other.address());
                awaitHealth("All is well since .*: 2 of 2 partitions answer");
                two.get(1).kill();
                awaitHealth("p2 has been silent since \\d\\d:\\d\\d: 50\u00a0% of the slots; reads are misses");
                assertThat(script("return document.title")).isEqualTo("▲ p2 has been silent – Keyslot");
                assertThat(script(CELL.formatted(0, 1))).startsWith("answers since ");
                assertThat(script(CELL.formatted(1, 1))).startsWith("silent since ");
                assertThat(script(CELL.formatted(1, 3))).isEqualTo("–");
                assertThat(
                                script(
                                        "return [...document.querySelectorAll('.hatched')].map((each) => each.textContent).join()"))
                        .isEqualTo("p2 silent,");
                // The sentence, the share, the row, and the event.
                awaitText("return document.body.innerText.split('silent').length - 1", "4");
                assertThat(violations()).isEmpty();
                browser.picture(PICTURES.resolve("silent-light.png"));
                browser.narrow(390);
                assertThat(violations()).isEmpty();
                browser.picture(PICTURES.resolve("silent-narrow.png"));
                browser.wide();
                two.get(1).restart();
                awaitHealth("All is well since .*");
                assertThat(script("return document.querySelector('#event-rows').innerText"))
                        .containsSubsequence("p2 is back after ", "p2 is silent: ");
            }
            awaitHealth("No connection to keyslot serve: .*");
        }
    }

    /** A Chromium without a window, driven by the protocol of W3C WebDriver through its {@code chromedriver}. For one thread. */
    private static final class Browser implements AutoCloseable {
        private static final String WANTED =
                "the profile thorough needs Chromium and its driver (apt-get install chromium chromium-driver), or a driver"
                        + " that the variable CHROMEDRIVER names";

        private static final Duration LONGEST_START = Duration.ofSeconds(30);
        private static final Duration LONGEST_SCRIPT = Duration.ofSeconds(60);
        private static final Duration LONGEST_ANSWER = Duration.ofSeconds(90);
        private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
        private static final Pattern SESSION = Pattern.compile("\"sessionId\":\"([^\"]+)\"");
        private static final List<String> ARGUMENTS = List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1200,1400");

        private final HttpClient client = HttpClient.newHttpClient();
        private final Process driver;
        private final URI session;

        private Browser(Process driver, URI sessions) throws Exception {
            this.driver = driver;
            String made = send(
                    "POST",
                    sessions,
                    Map.of(
                            "capabilities",
                            Map.of(
                                    "alwaysMatch",
                                    Map.of(
                                            "goog:chromeOptions",
                                            Map.of("args", ARGUMENTS),
                                            "timeouts",
                                            Map.of("script", LONGEST_SCRIPT.toMillis())))));
            Matcher id = SESSION.matcher(made);
            if (!id.find()) {
                throw new IOException("No session: " + made);
            }
            this.session = URI.create(sessions + "/" + id.group(1));
        }

        /**
         * Starts one, with the driver of the path; the variable {@code CHROMEDRIVER} names another.
         *
         * @param log what the driver says
         * @throws IllegalStateException if there is none, or no browser for it; it says what to install
         */
        static Browser start(Path log) throws Exception {
            Files.createDirectories(Objects.requireNonNull(log.getParent()));
            Process driver = driver(log);
            try {
                String port = await().atMost(LONGEST_START)
                        .until(() -> portIn(log, driver), Optional::isPresent)
                        .orElseThrow();
                return new Browser(driver, URI.create("http://127.0.0.1:%s/session".formatted(port)));
            } catch (Exception e) {
                driver.destroy();
                throw new IllegalStateException(
                        "Chromium was not started: %s. The driver's log is %s".formatted(WANTED, log), e);
            }
        }

        private static Process driver(Path log) {
            String program = Objects.requireNonNullElse(System.getenv("CHROMEDRIVER"), "chromedriver");
            try {
                return new ProcessBuilder(program, "--port=0")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
            } catch (IOException e) {
                throw new IllegalStateException("There is no program %s: %s".formatted(program, WANTED), e);
            }
        }

        private static Optional<String> portIn(Path log, Process driver) throws IOException {
            Matcher started = STARTED.matcher(Files.readString(log));
            if (started.find()) {
                return Optional.of(started.group(1));
            }
            if (!driver.isAlive()) {
                throw new IOException("chromedriver has ended");
            }
            return Optional.empty();
        }

        private String send(String method, URI uri, Map<String, ?> body) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(LONGEST_ANSWER)
                    .method(
                            method,
                            method.equals("POST")
                                    ? HttpRequest.BodyPublishers.ofString(CanonicalJson.write(body))
                                    : HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("%s: %s".formatted(uri, answer.body()));
            }
            return answer.body();
        }

        private @Nullable Object value(String method, String what, Map<String, ?> body) throws Exception {
            String answer = send(method, URI.create(session + what), body);
            return ((Map<?, ?>) Objects.requireNonNull(JsonReader.read(answer.getBytes(StandardCharsets.UTF_8))))
                    .get("value");
        }

        void open(String address) throws Exception {
            Object unused = value("POST", "/url", Map.of("url", address));
        }

        /** Returns the text that a script gives. */
        String script(String script) throws Exception {
            return String.valueOf(value("POST", "/execute/sync", Map.of("script", script, "args", List.of())));
        }

        /** Returns the text that the promise of a script gives. */
        String promised(String expression) throws Exception {
            return String.valueOf(value(
                    "POST",
                    "/execute/async",
                    Map.of(
                            "script",
                            "const done = arguments[0]; (" + expression + ").then(done);",
                            "args",
                            List.of())));
        }

        /** Types, into what has the focus. */
        void type(String keys) throws Exception {
            List<Map<String, String>> actions = keys.codePoints()
                    .mapToObj(Character::toString)
                    .flatMap(key ->
                            List.of(Map.of("type", "keyDown", "value", key), Map.of("type", "keyUp", "value", key))
                                    .stream())
                    .toList();
            Object unused = value(
                    "POST",
                    "/actions",
                    Map.of("actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", actions))));
        }

        /** Chooses the colour scheme that the browser prefers: dark or light. */
        void prefer(String scheme) throws Exception {
            tell(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        }

        /** Gives the window another width, as a telephone has. */
        void narrow(int width) throws Exception {
            tell(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", 1_400, "deviceScaleFactor", 1, "mobile", true));
        }

        /** Gives the window back its width. */
        void wide() throws Exception {
            tell("Emulation.clearDeviceMetricsOverride", Map.of());
        }

        private void tell(String command, Map<String, ?> parameters) throws Exception {
            Object unused = value("POST", "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
        }

        /** Writes what is seen into a file. */
        void picture(Path file) throws Exception {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, Base64.getDecoder().decode(String.valueOf(value("GET", "/screenshot", Map.of()))));
        }

        @Override
        public void close() throws Exception {
            try {
                String unused = send("DELETE", session, Map.of());
            } finally {
                driver.destroy();
            }
        }
    }
}
