// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonFields;
import io.keyslot.client.json.JsonProblems;
import io.keyslot.client.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A map as text: canonical JSON, so that equal maps have equal bytes. It holds no secrets.
 */
public record MapDocument(PartitionMap map, int format) {
    public static final int FORMAT = 1;

    public static final int LARGEST = JsonReader.LARGEST;

    public static MapDocument of(PartitionMap map) {
        return new MapDocument(map, FORMAT);
    }

    /**
     * Reads a document. Unknown fields are rejected, unless it has a later format that this version may read. An
     * {@link InvalidMapException} has all problems of the document, its hash and its map, with their places.
     */
    public static MapDocument read(byte[] bytes) {
        JsonProblems problems = new JsonProblems();
        try {
            return read(JsonFields.of(JsonReader.read(bytes), problems), problems)
                    .orElseThrow(() -> new InvalidMapException(problems.all()));
        } catch (JsonReader.JsonException e) {
            throw new InvalidMapException(List.of("is not JSON " + e.getMessage()));
        }
    }

    private static Optional<MapDocument> read(JsonFields document, JsonProblems problems) {
        int format = (int) document.number("format", 1, Integer.MAX_VALUE);
        long reader = document.number("minReader", 1, Integer.MAX_VALUE);
        if (reader > FORMAT) {
            problems.add(
                    "minReader", "is %d, and this version reads up to %d: it is too old".formatted(reader, FORMAT));
            return Optional.empty();
        }
        String sum = document.text("sha256");
        Object body = document.value("body");
        if (!CanonicalJson.sha256(CanonicalJson.write(body)).equals(sum)) {
            problems.add("sha256", "is not the sum of the body");
        }
        boolean strict = format == FORMAT;
        Optional<PartitionMap> map = new MapReader(document.object("body"), problems, strict).read();
        if (strict) {
            document.refuseOthers();
        }
        return problems.all().isEmpty() ? map.map(read -> new MapDocument(read, format)) : Optional.empty();
    }

    /** Returns the map, to be changed: throws if the document has a later format, of which a change would lose parts. */
    public PartitionMap changeable() {
        if (format > FORMAT) {
            throw new IllegalArgumentException(
                    "map %s was written by a later version of Keyslot (form %d); this one follows it, and does not change it"
                            .formatted(map.stamp(), format));
        }
        return map;
    }

    /**
     * Returns the document in the format of this version; throws an {@link InvalidMapException} above {@value #LARGEST}
     * bytes.
     */
    public byte[] bytes() {
        return textOf(map).getBytes(StandardCharsets.US_ASCII);
    }

    public static String textOf(PartitionMap map) {
        Map<String, ?> body = MapWriter.bodyOf(map);
        String text = CanonicalJson.write(Map.of(
                "body", body,
                "format", FORMAT,
                "minReader", FORMAT,
                "sha256", CanonicalJson.sha256(CanonicalJson.write(body))));
        if (text.length() > LARGEST) {
            throw new InvalidMapException(
                    List.of("its document has %d bytes, at most %d".formatted(text.length(), LARGEST)));
        }
        return text;
    }
}
