// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.web.SignIns;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The page in a browser: what is seen there is what the servers hold, by keyboard alone, in dark and light, in a narrow window. Not
 * part of a build, as few machines have a browser: docs/page.md says how it is run. Pictures are left in {@code target/page}.
 */
class PageInBrowserCheck {
    private static final String TOKEN = "sixteen-characters-or-more";
    private static final Path PICTURES = Path.of("target/page");
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int ENTRIES = 3_000;
    private static final String RIGHT = "\uE014";
    private static final String DOWN = "\uE015";
    private static final String TAB = "\uE004";
    private static final String ENTER = "\uE007";
    private static final String CELL =
            "return document.querySelector('#partition-rows').rows[%d]?.cells[%d]?.textContent ?? ''";

    /** As a command has its options. */
    @Command(name = "connected")
    private static final class Connected {
        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();
    }

    private static long keysOf(LocalServer server) {
        RedisClient redis = RedisClient.create();
        try (StatefulRedisConnection<String, String> connection = redis.connect(RedisURI.create(server.uri()))) {
            return connection.sync().dbsize();
        } finally {
            redis.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Test
    void page_showsWhatTheServersHold() throws Exception {
        try (LocalServers servers = LocalServers.create()) {
            List<LocalServer> three = servers.start(3);
            List<String> addresses = three.stream().map(LocalServer::uri).toList();
            Connected connected = new Connected();
            new CommandLine(connected).parseArgs("--partitions=" + String.join(",", addresses));
            try (CacheManager manager = KeyslotManagers.openPatiently(
                            "browser", addresses, Map.of("keyslot.trafficReports", "1s"));
                    OperatorPage page = OperatorPage.open(
                            0,
                            new SignIns(TOKEN),
                            new OperatorPage.Rhythm(Duration.ofSeconds(5), 100_000),
                            connected.connection);
                    Browser browser = Browser.start()) {
                Map<String, String> entries = new HashMap<>();
                for (int i = 0; i < ENTRIES; i++) {
                    entries.put("k" + i * i, "of " + i);
                }
                manager.createCache("customer", new PartitionedConfiguration<String, String>())
                        .putAll(entries);
                look(browser, page, three);
            }
        }
    }

    private static void look(Browser browser, OperatorPage page, List<LocalServer> three) throws Exception {
        browser.open(page.address());
        for (int i = 0; i < 3; i++) {
            int row = i;
            String expected = "%,d".formatted(keysOf(three.get(i)));
            await().atMost(LONGEST)
                    .until(() -> browser.script(CELL.formatted(row, 4)).equals(expected));
            assertThat(browser.script(CELL.formatted(i, 0))).isEqualTo("p" + (i + 1));
            assertThat(browser.script(CELL.formatted(i, 1))).isEqualTo("answers");
        }
        paintIsQuick_andSmall(browser, page);
        browser.picture(PICTURES.resolve("partitions.png"));
        slots(browser);
        token(browser);
        picturesInOtherWindows(browser);
        accessibility(browser);
        three.get(2).kill();
        await().atMost(LONGEST).until(() -> browser.script(CELL.formatted(2, 1)).startsWith("silent: "));
        browser.picture(PICTURES.resolve("silent.png"));
    }

    private static void paintIsQuick_andSmall(Browser browser, OperatorPage page) throws Exception {
        String paint = browser.script(
                "return String(Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime))");
        String elsewhere = browser.script("return performance.getEntriesByType('resource').map((each) => each.name)"
                + ".filter((name) => !name.startsWith('" + page.address() + "')).join()");
        String bytes = browser.script(
                "return String(performance.getEntriesByType('resource')"
                        + ".concat(performance.getEntriesByType('navigation')).reduce((sum, each) => sum + each.transferSize, 0))");
        String requests = browser.script("return String(performance.getEntriesByType('resource').length + 1)");
        Files.createDirectories(PICTURES);
        Files.writeString(
                PICTURES.resolve("paint.txt"),
                "first paint %s ms, %s bytes, %s requests%n".formatted(paint, bytes, requests));
        assertThat(elsewhere).isEmpty();
        assertThat(Integer.parseInt(bytes)).isLessThan(150_000);
        assertThat(Integer.parseInt(paint)).isLessThan(3_000);
    }

    /** By keys alone. */
    private static void slots(Browser browser) throws Exception {
        int slot = HashSlot.of("customer:k0");
        String unused = browser.script("document.querySelector('input[value=owner]').focus(); return ''");
        browser.type(RIGHT);
        await().atMost(LONGEST)
                .until(() -> !browser.script("return document.querySelector('#top-rows').textContent")
                        .isEmpty());
        unused = browser.script("const slot = document.querySelector('#slot'); slot.value = " + (slot - 129)
                + "; slot.dispatchEvent(new Event('change')); document.querySelector('#heat').focus(); return ''");
        browser.type(RIGHT + DOWN);
        assertThat(browser.script("return document.querySelector('#chosen').textContent"))
                .startsWith("Slot %d, p".formatted(slot))
                .containsPattern(": [1-9]\\d* keys?$");
        browser.picture(PICTURES.resolve("keys.png"));
    }

    private static void token(Browser browser) throws Exception {
        assertThat(browser.script("return String(document.querySelector('#signed-in').hidden)"))
                .isEqualTo("true");
        String unused = browser.script("document.querySelector('#token').focus(); return ''");
        browser.type("wrong" + ENTER);
        await().atMost(LONGEST)
                .until(() -> browser.script("return document.querySelector('#sign-in-answer').textContent")
                        .equals("That is not the token"));
        browser.type(TOKEN + TAB + ENTER);
        await().atMost(LONGEST)
                .until(() -> browser.script("return document.activeElement.id").equals("key"));
        browser.type("customer:k0" + ENTER);
        await().atMost(LONGEST)
                .until(() -> browser.script("return document.querySelector('#found').textContent")
                        .contains("present"));
        assertThat(browser.script("return document.querySelector('#found').textContent"))
                .contains("slot" + HashSlot.of("customer:k0"));
        browser.picture(PICTURES.resolve("where.png"));
    }

    private static void picturesInOtherWindows(Browser browser) throws Exception {
        String unused = browser.script("scrollTo(0, 0); return ''");
        browser.tell(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(20, 24, 30)");
        browser.picture(PICTURES.resolve("dark.png"));
        browser.tell(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 1400, "deviceScaleFactor", 1, "mobile", true));
        assertThat(browser.script("return String(document.documentElement.scrollWidth)"))
                .isEqualTo("360");
        browser.picture(PICTURES.resolve("narrow.png"));
    }

    /** The variable {@code AXE} names the file {@code axe.min.js} of the package axe-core. */
    private static void accessibility(Browser browser) throws Exception {
        @Nullable String axe = System.getenv("AXE");
        if (axe != null) {
            for (String scheme : List.of("dark", "light")) {
                browser.tell(
                        "Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
                String unused = browser.script(Files.readString(Path.of(axe)) + "; return ''");
                assertThat(browser.promised("axe.run().then((found) => found.violations.map((each) => each.id + ': '"
                                + " + each.nodes.map((node) => node.html).join(' ')).join('\\n'))"))
                        .as(scheme)
                        .isEmpty();
            }
        }
    }
}
