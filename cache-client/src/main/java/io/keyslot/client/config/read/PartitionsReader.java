// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.Engine;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.slot.PartitionId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code engine} and {@code partitions}, and checks that they fit together. */
final class PartitionsReader {
    private static final String ENGINE = "engine";
    private static final String PARTITIONS = "partitions";

    private final Section root;
    private final ValueReader reader;

    /** The engine and its partitions; incomplete after a problem. */
    record Layout(Engine engine, List<PartitionDraft> drafts) {
        Set<String> names() {
            return (drafts.isEmpty()
                            ? ClientOptions.embeddedDefaults().partitions().stream()
                                    .map(PartitionOptions::name)
                            : drafts.stream().map(PartitionDraft::id))
                    .map(PartitionId::name)
                    .collect(Collectors.toSet());
        }

        boolean isEncrypted() {
            return drafts.stream().map(PartitionDraft::uri).anyMatch(uri -> uri != null && uri.tls());
        }

        List<PartitionOptions> partitions(Access others) {
            return drafts.isEmpty()
                    ? ClientOptions.embeddedDefaults().partitions()
                    : drafts.stream().map(draft -> draft.toOptions(others)).toList();
        }
    }

    PartitionsReader(Section root, ValueReader reader) {
        this.root = root;
        this.reader = reader;
    }

    Layout read() {
        Optional<Engine> chosen = root.read(ENGINE, ValueType.oneOf(Engine.class));
        List<PartitionDraft> drafts = root.node(PARTITIONS)
                .map(node -> new PartitionForms(root, reader).read(node))
                .orElse(List.of());
        // Addresses imply engine instances.
        boolean addressed = drafts.stream().anyMatch(PartitionDraft::addressed);
        Engine engine = chosen.orElse(addressed ? Engine.INSTANCES : Engine.EMBEDDED);
        checkEngine(engine, drafts, addressed);
        checkReplicas(engine, drafts);
        if (engine == Engine.CLUSTER) {
            new ClusterRules(root, reader.problems()).check(drafts);
        } else {
            new SlotShares(root, reader.problems()).check(drafts);
        }
        return new Layout(engine, drafts);
    }

    private void checkReplicas(Engine engine, List<PartitionDraft> drafts) {
        for (PartitionDraft draft : drafts) {
            if (engine != Engine.INSTANCES && !draft.replicas().isEmpty()) {
                reader.problems()
                        .add(
                                draft.where(),
                                "%s has replicas, which only engine instances reads: leave them away"
                                        .formatted(draft.path()));
            }
        }
    }

    private void checkEngine(Engine engine, List<PartitionDraft> drafts, boolean addressed) {
        if (engine.isAddressed()) {
            checkAddresses(engine.name().toLowerCase(Locale.ROOT), drafts, addressed);
        } else if (addressed) {
            root.problem(
                    ENGINE,
                    "is embedded, but partitions have addresses: leave engine away, or leave the addresses away");
        }
    }

    private void checkAddresses(String engine, List<PartitionDraft> drafts, boolean addressed) {
        if (root.node(PARTITIONS).isEmpty()) {
            root.problem(
                    ENGINE,
                    "is %s, but there are no partitions: list their addresses under partitions".formatted(engine));
        } else if (!addressed && !drafts.isEmpty()) {
            root.problem(
                    PARTITIONS,
                    "has no addresses, which engine %s needs: write redis://host:port for each".formatted(engine));
        } else {
            drafts.stream()
                    .filter(draft -> !draft.addressed())
                    .forEach(draft -> reader.problems()
                            .add(
                                    draft.where(),
                                    "%s has no address, which engine %s needs".formatted(draft.path(), engine)));
            checkDistinct(drafts);
        }
    }

    private void checkDistinct(List<PartitionDraft> drafts) {
        Map<String, PartitionDraft> byAddress = new HashMap<>();
        for (PartitionDraft draft : drafts) {
            if (draft.uri() == null) {
                continue;
            }
            PartitionDraft first = byAddress.putIfAbsent(draft.uri().address(), draft);
            if (first != null) {
                reader.problems()
                        .add(
                                draft.where(),
                                "%s has the address of %s: each partition needs an instance of its own"
                                        .formatted(draft.path(), first.path()));
            }
        }
    }
}
