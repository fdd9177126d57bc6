// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.json.JsonFields;
import io.keyslot.client.json.JsonProblems;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The encoding of a partition as fields of a document. */
public final class PartitionForm {
    private static final int LONGEST_NAME = 100;

    private PartitionForm() {}

    public static Map<String, @Nullable Object> write(MappedPartition partition) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("name", partition.name().name());
        fields.put(
                "address",
                partition.address() == null ? null : partition.address().toString());
        fields.put("weight", partition.weight());
        fields.put("labels", partition.labels());
        fields.put("state", partition.state().name().toLowerCase(Locale.ROOT));
        if (!partition.replicas().isEmpty()) {
            fields.put(
                    "replicas",
                    partition.replicas().stream()
                            .map(replica -> Map.of("address", replica.address().toString(), "zone", replica.zone()))
                            .toList());
        }
        return fields;
    }

    public static Optional<MappedPartition> read(JsonFields fields, JsonProblems problems) {
        String name = fields.text("name");
        String address = fields.textOrNull("address");
        int weight = (int) fields.number("weight", 0, MappedPartition.LARGEST_WEIGHT);
        Map<String, String> labels = fields.object("labels").texts();
        MappedPartition.Membership state = fields.constant("state", MappedPartition.Membership.class);
        List<MappedPartition.Replica> replicas = new ArrayList<>();
        for (JsonFields replica : fields.has("replicas") ? fields.objects("replicas") : List.<JsonFields>of()) {
            String at = replica.text("address");
            String zone = replica.text("zone");
            problems.make(replica.path(), () -> new MappedPartition.Replica(PartitionUriParser.uri(at), zone))
                    .ifPresent(replicas::add);
        }
        return problems.make(
                fields.path(),
                () -> new MappedPartition(nameOf(name), uri(address), weight, new TreeMap<>(labels), state, replicas));
    }

    /** Returns a name, truncated so that an invalid one does not fill messages. */
    public static PartitionId nameOf(String text) {
        return new PartitionId(text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME));
    }

    private static @Nullable PartitionUri uri(@Nullable String address) {
        return address == null ? null : PartitionUriParser.uri(address);
    }
}
