// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyslot.client.config.Given;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MapDocumentTest {
    private static final PartitionMap MAP = ConfiguredMap.of(Given.defaults());

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("tests.seeds", 2));
    }

    @Test
    void documentOfTheDefaults_isTheseBytes() {
        assertThat(new String(MapDocument.of(MAP).bytes(), StandardCharsets.US_ASCII))
                .isEqualTo("{\"body\":{"
                        + "\"commit\":{\"actor\":\"configuration\",\"at\":\"1970-01-01T00:00:00Z\","
                        + "\"operation\":\"configured\",\"reason\":\"\"},"
                        + "\"generation\":\"0-configured\",\"hash\":\"crc16-xmodem/16384\",\"moves\":[],"
                        + "\"partitions\":["
                        + "{\"address\":null,\"labels\":{},\"name\":\"p1\",\"state\":\"active\",\"weight\":1},"
                        + "{\"address\":null,\"labels\":{},\"name\":\"p2\",\"state\":\"active\",\"weight\":1},"
                        + "{\"address\":null,\"labels\":{},\"name\":\"p3\",\"state\":\"active\",\"weight\":1}],"
                        + "\"placements\":[],"
                        + "\"slots\":[[0,5461,0,1],[5462,10922,1,1],[10923,16383,2,1]],\"version\":1},"
                        + "\"format\":1,\"minReader\":1,\"sha256\":\""
                        + CanonicalJson.sha256(body(MapDocument.of(MAP))) + "\"}");
    }

    /** Maps as operators make them: what is written is read, and is written the same again. */
    @ParameterizedTest
    @MethodSource("io.keyslot.client.map.MapDocumentTest#seeds")
    void whatIsWritten_isReadAgain(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        for (int step = 0; step < 150; step++) {
            PartitionMap map = maps.step();
            byte[] bytes = MapDocument.of(map).bytes();

            MapDocument read = MapDocument.read(bytes);

            assertThat(read.map()).isEqualTo(map);
            assertThat(read).isEqualTo(MapDocument.of(map));
            assertThat(read.bytes()).isEqualTo(bytes);
            assertThat(read.format()).isEqualTo(MapDocument.FORMAT);
        }
        assertThat(maps.map().content().placements().all().size()
                        + maps.map().moves().size())
                .isPositive();
    }

    /** Damaged bytes, and damaged documents with a sum that is right: a map, or our exception, and a bounded one. */
    @ParameterizedTest
    @MethodSource("io.keyslot.client.map.MapDocumentTest#seeds")
    void damage_isRefused_neverElse(long seed) {
        Random random = new Random(seed);
        RandomMaps maps = new RandomMaps(seed);
        for (int step = 0; step < 60; step++) {
            maps.step();
        }
        String body = body(MapDocument.of(maps.map()));
        int read = 0;
        for (int round = 0; round < 300; round++) {
            String damaged = damaged(body, random);
            try {
                MapDocument.read(document(damaged, 1, 1));
                read++;
            } catch (InvalidMapException e) {
                assertThat(e.problems()).isNotEmpty();
                assertThat(String.valueOf(e.getMessage()).length()).isLessThan(10_000);
            }
        }
        assertThat(read).isLessThan(150);
    }

    private static String damaged(String body, Random random) {
        StringBuilder damaged = new StringBuilder(body);
        int at = random.nextInt(body.length());
        switch (random.nextInt(3)) {
            case 0 -> damaged.setCharAt(at, (char) (0x20 + random.nextInt(0x60)));
            case 1 -> damaged.deleteCharAt(at);
            default -> damaged.insert(at, body, random.nextInt(at + 1), at);
        }
        return damaged.toString();
    }

    /** A document with this body and its right sum. */
    private static byte[] document(String body, int format, int minReader) {
        String sum;
        try {
            sum = CanonicalJson.sha256(CanonicalJson.write(JsonReader.read(body.getBytes(StandardCharsets.UTF_8))));
        } catch (IllegalArgumentException e) {
            sum = "";
        }
        return "{\"body\":%s,\"format\":%d,\"minReader\":%d,\"sha256\":\"%s\"}"
                .formatted(body, format, minReader, sum)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String body(MapDocument document) {
        return CanonicalJson.write(MapWriter.bodyOf(document.map()));
    }

    private static List<String> problemsOf(byte[] document) {
        return catchThrowableOfType(InvalidMapException.class, () -> MapDocument.read(document))
                .problems();
    }

    /** The body of the defaults with a change of its fields. */
    private static List<String> problemsWith(Consumer<Map<String, @Nullable Object>> change) {
        Map<String, @Nullable Object> body = new HashMap<>(MapWriter.bodyOf(MAP));
        change.accept(body);
        return problemsOf(document(CanonicalJson.write(body), 1, 1));
    }

    @Nested
    class Problems {
        @Test
        void allAreTold_withTheirPlaces() {
            assertThat(problemsWith(body -> {
                        body.put("version", "1");
                        body.put("hash", "md5");
                        body.remove("moves");
                        body.put("more", 1);
                        body.put("slots", List.of(List.of(0, 70_000, 9, 0), List.of(9, 8, 0, 1)));
                        body.put("partitions", List.of(Map.of("name", "a b", "weight", -1, "state", "gone")));
                    }))
                    .containsExactly(
                            "body.hash: must be crc16-xmodem/16384",
                            "body.version: must be a number from 1 to 9007199254740992",
                            "body.partitions[0].address: is missing",
                            "body.partitions[0].weight: must be a number from 0 to 16384",
                            "body.partitions[0].labels: is missing",
                            "body.partitions[0].labels: must be an object",
                            "body.partitions[0].state: must be one of active, draining, lost, removed",
                            "body.partitions[0]: Partition name 'a b': must be 1 to 64 letters, digits, '.', '-' or '_'",
                            "body.slots[0][1]: must be a number from 0 to 65535",
                            "body.slots[0][3]: must be a number from 1 to 2147483647",
                            "body.slots[0][2]: is the number of no partition",
                            "body.slots[1][2]: is the number of no partition",
                            "body.moves: is missing",
                            "body.moves: must be an array",
                            "body.more: is not known");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "slots | [[0,16382,0,1]] | slots 16383 have no owner",
                    "slots | [[0,16383,0,1],[5,6,1,1]] | slot 5 has two owners",
                    "slots | [[0,16383,0,1],[16384,16384,0,1]] | slots 16384 have an owner, or a placement",
                    "partitions | [{'address':null,'labels':{},'name':'p1','state':'active','weight':1},"
                            + "{'address':null,'labels':{},'name':'p1','state':'active','weight':1},"
                            + "{'address':null,'labels':{},'name':'p3','state':'active','weight':1}]"
                            + " | partition p1 is there twice",
                    "partitions | [{'address':'redis://a','labels':{},'name':'p1','state':'active','weight':1},"
                            + "{'address':'redis://a','labels':{},'name':'p2','state':'active','weight':1},"
                            + "{'address':null,'labels':{},'name':'p3','state':'active','weight':1}]"
                            + " | two partitions have the address redis://a:6379/0",
                    "partitions | [{'address':null,'labels':{},'name':'p1','state':'removed','weight':1},"
                            + "{'address':null,'labels':{},'name':'p2','state':'draining','weight':1},"
                            + "{'address':null,'labels':{},'name':'p3','state':'draining','weight':1}]"
                            + " | no partition is active; body: slots 0-5461 belong to p1, which was removed",
                    "moves | [{'id':'m','from':'p1','to':'p2','slots':'0-9','committed':'0-4','phase':'moving',"
                            + "'coordinator':{'id':'c','epoch':1},'bytesPerSecond':1,'paused':false,'share':15}]"
                            + " | slots 0-4 of move m do not belong to p2",
                    "placements | [{'root':'t','ranges of':'number','list':[],'ranges':[['5','4',16384,1]],'else':'hash'}]"
                            + " | range [5,4) of t ends before it begins",
                    "placements | [{'root':'t','ranges of':null,'list':[['a',16384,3]],'ranges':[],'else':'hash'}]"
                            + " | The width of a placement is 3: must be 1, 2, 4 or 8",
                    "placements | [{'root':'t','ranges of':null,'list':[['a',16384,1]],'ranges':[],'else':'hash'}]"
                            + " | slots 16384 have an owner, or a placement that names them, and not both",
                    "generation | 'x' | Generation: must be a number",
                    "commit | {'operation':'','actor':'a','reason':'','at':'1970-01-01T00:00:00Z'}"
                            + " | The operation of a change has 0 characters",
                    "commit | {'operation':'o','actor':'a','reason':'','at':'yesterday'} | must be a moment"
                })
        void everyRule_hasADocumentThatBreaksIt(String field, String json, String problem) {
            Object value = JsonReader.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));

            assertThat(String.join("; ", problemsWith(body -> body.put(field, value))))
                    .contains(problem);
        }

        @Test
        void password_isRefused_andNotRepeated() {
            List<String> problems = problemsWith(body -> body.put(
                    "partitions",
                    List.of(Map.of(
                            "name", "p1",
                            "address", "redis://me:secret@one:7000",
                            "labels", Map.of(),
                            "weight", 1,
                            "state", "active"))));

            assertThat(String.join("; ", problems))
                    .contains(
                            "body.partitions[0]: The address of p1 names a user or a password: a map is read by everybody")
                    .doesNotContain("secret");
        }
    }

    @Nested
    class LaterForms {
        @Test
        void whichThisVersionMayRead_areRead_andNotChanged() {
            Map<String, @Nullable Object> body = new HashMap<>(MapWriter.bodyOf(MAP));
            body.put("something new", List.of(1, 2));

            MapDocument document = MapDocument.read(document(CanonicalJson.write(body), 2, 1));

            assertThat(document.map()).isEqualTo(MAP);
            assertThat(document.format()).isGreaterThan(MapDocument.FORMAT);
        }

        @Test
        void whichItMayNotRead_areRefusedBeforeAnythingElse() {
            assertThat(problemsOf(document("{}", 3, 2)))
                    .containsExactly("minReader: is 2, and this version reads up to 1: it is too old");
        }
    }
}
