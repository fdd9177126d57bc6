// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that change placements, on the map of three servers. */
@SideBySide
class PlacementCommandIT {
    @AutoClose
    private final TestServers servers = TestServers.start(3);

    /** What there is, if nothing may have changed since. */
    private @Nullable String listed;

    @TempDir
    private Path folder;

    private CommandRun run(String... arguments) throws IOException {
        Path config = folder.resolve("three.yaml");
        Files.writeString(
                config, "partitions: ['%s', '%s', '%s']\n".formatted(servers.uri(0), servers.uri(1), servers.uri(2)));
        List<String> all = new ArrayList<>(List.of("placement"));
        all.addAll(List.of(arguments));
        all.add("--config=" + config);
        return CommandRun.of(all.toArray(String[]::new));
    }

    private String done(String... arguments) throws IOException {
        listed = null;
        CommandRun run = run(arguments);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    private String refused(String... arguments) throws IOException {
        String before = listed == null ? done("list") : listed;
        CommandRun run = run(arguments);
        assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
        String after = done("list");
        assertThat(after).isEqualTo(before);
        listed = after;
        return run.err();
    }

    @Test
    void tenant_getsASlotForEachPartition_andIsToldHowToBringThemTogether() throws IOException {
        String said = done("set", "tenant", "acme");

        assertThat(said).contains("acme", "16384-16386", "p1, p2, p3", "keyslot placement set tenant acme --to NAME");
        assertThat(refused("merge", "tenant", "acme")).contains("would get another owner", "move these first");
        assertThat(refused("set", "tenant", "acme", "--label", "region=eu")).contains("may be where the labels are");
        assertThat(done("remove", "tenant", "acme")).doesNotContain("acme");
    }

    private CacheManager application() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.config", folder.resolve("three.yaml").toString());
        return Caching.getCachingProvider()
                .getCacheManager(URI.create("placement:" + folder), getClass().getClassLoader(), properties);
    }

    private static MutableConfiguration<EntityKey, String> strings() {
        return new MutableConfiguration<EntityKey, String>().setTypes(EntityKey.class, String.class);
    }

    @Test
    void range_isRemovedWithItsEntries_whereverTheyAre() throws IOException {
        done("set", "event", "..2026-10-01", "--of", "date", "--to", "p2");
        done("set", "event", "2026-10-01..", "--of", "date", "--to", "p3");
        try (CacheManager manager = application();
                Cache<EntityKey, String> events = manager.createCache("event", strings())) {
            for (int day = 10; day < 30; day++) {
                events.put(EntityKey.of("event", "2026-09-" + day), "September");
                events.put(EntityKey.of("event", "2026-10-" + day), "October");
            }

            String said = done("remove", "event", "..2026-10-01", "--with-entries");

            assertThat(said).isEqualTo("p2: 20 keys removed\n");
            assertThat(done("list")).contains("2026-10-01..").doesNotContain("..2026-10-01");
            assertThat(events).hasSize(20);
            EntityKey old = EntityKey.of("event", "2026-09-10");
            assertThat(events.get(old)).isNull();
            events.put(old, "again");
            assertThat(events.get(old)).isEqualTo("again");
            assertThat(refused("remove", "event", "..2026-10-01", "--with-entries"))
                    .contains("has no entry");
        }
    }

    @Test
    void refusalOfAKey_namesACommandThatWorks() throws IOException {
        done("else", "tenant", "refuse");
        try (CacheManager manager = application();
                Cache<EntityKey, String> tenants = manager.createCache("tenant", strings())) {
            EntityKey acme = EntityKey.of("tenant", "acme");
            String why = await("the map of the command")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> catchThrowable(() -> tenants.put(acme, "Acme")), Objects::nonNull)
                    .getMessage();
            Matcher command = Pattern.compile("keyslot placement (set tenant ID --to PARTITION)")
                    .matcher(why);
            assertThat(command.find()).as(why).isTrue();

            done(command.group(1)
                    .replace("ID", "acme")
                    .replace("PARTITION", "p1")
                    .split(" "));

            tenants.put(acme, "Acme");
            assertThat(tenants.get(acme)).isEqualTo("Acme");
        }
    }

    @Test
    void file_isImportedByOneChange_asIfItsEntriesWereSetOneByOne() throws IOException {
        Path file = Files.writeString(folder.resolve("tenants.txt"), "acme # the first\n\nbig\n0..100\nacme\n");

        assertThat(refused("import", "tenant", file.toString())).contains("say what its ids are, by --of");
        String imported = done("import", "tenant", file.toString(), "--of", "number");
        assertThat(done("import", "tenant", file.toString()))
                .as("entries that exist stay")
                .contains("acme", "big", "0..100");
        done("remove", "tenant", "acme");
        done("remove", "tenant", "big");
        done("remove", "tenant", "0..100");
        done("set", "tenant", "acme");
        done("set", "tenant", "big");

        assertThat(imported.lines().skip(1))
                .containsAll(done("set", "tenant", "0..100", "--of", "number")
                        .lines()
                        .skip(1)
                        .toList());
        assertThat(refused("import", "tenant", folder.resolve("none.txt").toString()))
                .contains("cannot be read, and nothing was changed");
    }

    @Test
    @Timeout(60)
    void thousandsOfEntries_areImported() throws IOException {
        Path file = Files.write(
                folder.resolve("tenants.txt"),
                IntStream.range(0, 2_000).mapToObj(id -> "t" + id).toList());

        assertThat(done("import", "tenant", file.toString())).contains("t1999");
    }

    @Test
    void ranges_areSplit_andMerged() throws IOException {
        assertThat(refused("set", "order", "0..100")).contains("say what its ids are");
        done("set", "order", "0..100", "--of", "number");
        done("split", "order", "0..100", "--at", "50");
        assertThat(done("list")).contains("0..50", "50..100", "16387-16389");
        assertThat(refused("split", "order", "0..50", "--at", "70")).contains("ends before it begins");
        assertThat(refused("merge", "order", "50..100", "--next"))
                .contains("no range of order begins where 50..100 ends");
        assertThat(refused("set", "order", "20..30")).contains("begins before the one before it ends");
        assertThat(done("merge", "order", "0..50", "--next")).contains("0..100").doesNotContain("50..100");
    }

    @Test
    void whatIsNotThere_isRefused_andNothingIsChanged() throws IOException {
        assertThat(refused("remove", "tenant", "acme")).contains("tenant has no entry acme");
        assertThat(refused("merge", "tenant", "acme")).contains("tenant has no entry acme");
        assertThat(refused("split", "order", "7", "--at", "5")).contains("7 is no range");
        assertThat(refused("set", "tenant", "acme", "--width", "3")).contains("must be 1, 2, 4 or 8");
        assertThat(refused("set", "tenant", "acme", "--to", "p9")).contains("There is no partition p9");
        assertThat(refused("set", "tenant", "acme", "--to", "p1", "--width", "3"))
                .contains("must be 1, 2, 4 or 8");
        assertThat(refused("set", "tenant", "acme", "--to", "p1", "--label", "region=eu"))
                .contains("may be where the labels are");
        done("set", "tenant", "..5", "--of", "number", "--to", "p2");
        done("set", "tenant", "3");
        assertThat(refused("remove", "tenant", "3", "--with-entries")).contains("would get another owner");
    }

    @Test
    void otherwise_isRefusedOrHashed_andListedForPrograms() throws IOException {
        done("else", "tenant", "refuse");

        assertThat(done("list", "-o", "json")).contains("\"else\":{\"tenant\":\"refuse\"}", "\"entries\":[]");
        assertThat(done("else", "tenant", "hash")).doesNotContain("tenant");
    }

    @Test
    void typeWithHashedKeys_isRefused() throws IOException {
        Path config = Files.writeString(
                folder.resolve("hashed.yaml"),
                "partitions: ['redis://a']\ncaches: { tenant: { hashedKeys: %s } }\n"
                        .formatted(Base64.getEncoder().encodeToString(new byte[32])));

        for (String command : List.of("set", "import")) {
            CommandRun run = CommandRun.of("placement", command, "tenant", "acme", "--config=" + config);

            assertThat(run.err()).contains("Keys of tenant are hashed (hashedKeys)", "nothing was changed");
            assertThat(run.exitCode()).isNotZero();
        }
    }

    @Test
    void configuration_thatNobodyChanges_saysSo() throws IOException {
        Path config = Files.writeString(
                folder.resolve("fixed.yaml"), "catalogue: configuration\npartitions: ['redis://a']\n");

        CommandRun run = CommandRun.of("placement", "set", "tenant", "acme", "--config=" + config);

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.err().lines()).hasSize(1);
    }
}
