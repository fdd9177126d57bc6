// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ConstantText;
import io.keyslot.cluster.cli.shared.ErrorLine;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keyslot where}. */
@Command(
        name = "where",
        description = "Says in which slot and partition an entry is, and what is known of it.",
        footer = {
            "",
            "Without --config and --partitions it tells slot and owner for three partitions of equal shares, which is"
                    + " what an application without configuration has.",
            "",
            "Examples:",
            "  keyslot where customer:99",
            "  keyslot where 'order:{customer:99}:1001' --config keyslot.yaml",
            "  keyslot where customer:99 --partitions redis://10.0.0.1:6379,redis://10.0.0.2:6379"
        })
final class WhereCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "<entity key>",
            description = "The text under which the entry is stored: customer:99, or order:{customer:99}:1001 for a"
                    + " member of a group.")
    private String text = "";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    private final Map<String, String> fields = new LinkedHashMap<>();

    WhereCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        EntityKey key = parsed();
        try (PartitionedCacheManager manager = connection.open();
                PartitionedCache<EntityKey, Object> cache = manager.createCache(key.type(), configuration(key))) {
            EntryExplanation found = cache.explain(key);
            say(found);
            print();
            return connection.isEmpty() || found.presence() != Presence.UNKNOWN ? ExitCode.OK : failed(found, manager);
        }
    }

    private int failed(EntryExplanation found, PartitionedCacheManager manager) {
        manager.partitions().stream()
                .filter(partition -> partition.id().equals(found.partition()))
                .forEach(partition -> terminal.err().println(ErrorLine.of(partition)));
        terminal.err().flush();
        return ExitCode.FAILED;
    }

    private EntityKey parsed() {
        try {
            return EntityKey.parse(text);
        } catch (IllegalArgumentException e) {
            if (spec == null) {
                throw e;
            }
            throw new ParameterException(spec.commandLine(), ErrorLine.messageOf(e), e);
        }
    }

    private static PartitionedConfiguration<EntityKey, Object> configuration(EntityKey key) {
        PartitionedConfiguration<EntityKey, Object> configuration =
                new PartitionedConfiguration<EntityKey, Object>().setTypes(EntityKey.class, Object.class);
        EntityKey group = key.group();
        return group == null ? configuration : configuration.setGroupedBy(group.type());
    }

    private void say(EntryExplanation found) {
        line("entity key", found.entityKey());
        line("slot", Integer.toString(found.slot()));
        line("partition", found.partition().name());
        if (connection.isEmpty()) {
            return;
        }
        line("address", found.address());
        line("state", ConstantText.of(found.state()));
        line("entry", ConstantText.of(found.presence()));
        if (found.presence() == Presence.PRESENT) {
            Duration timeToLive = found.timeToLive();
            line("time to live", timeToLive == null ? "does not expire" : Amounts.duration(timeToLive));
            line("size", Amounts.count(found.sizeBytes()) + " bytes");
            line("stamp", Long.toUnsignedString(found.stamp()));
            line("slot epoch", Integer.toString(found.slotEpoch()));
        }
    }

    private void line(String name, String value) {
        fields.put(name, value);
    }

    private void print() {
        PrintWriter out = terminal.out();
        if (output.isJson()) {
            out.println(CanonicalJson.write(fields));
        } else {
            fields.forEach((name, value) -> out.println(name + " ".repeat(Math.max(1, 14 - name.length())) + value));
        }
        out.flush();
    }
}
