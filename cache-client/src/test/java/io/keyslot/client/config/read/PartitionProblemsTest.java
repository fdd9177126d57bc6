// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PartitionProblemsTest {
    private static final String RULE =
            "must be a number from 1 to 1000, a list of addresses (redis://host:port) or names, or a mapping by name";

    @Nested
    class EngineAndPartitions {
        @Test
        void embeddedWithAddresses_contradict() {
            assertThat(Given.yaml("engine: embedded", "partitions: [ 'redis://127.0.0.1' ]")
                            .problems())
                    .containsExactly("keyslot.yaml:1:1: engine is embedded, but partitions have addresses:"
                            + " leave engine away, or leave the addresses away");
        }

        @Test
        void instancesWithoutPartitions_contradict() {
            assertThat(Given.yaml("engine: instances").problems())
                    .containsExactly("keyslot.yaml:1:1: engine is instances, but there are no partitions:"
                            + " list their addresses under partitions");
        }

        @Test
        void instancesWithANumber_contradict() {
            assertThat(Given.yaml("engine: instances", "partitions: 3").problems())
                    .containsExactly("keyslot.yaml:2:1: partitions has no addresses, which engine instances needs:"
                            + " write redis://host:port for each");
        }

        @Test
        void userWithoutPassword_isAProblem() {
            assertThat(Given.yaml("connection: { username: app }").problems())
                    .containsExactly("keyslot.yaml:1:15: connection.username is set, but connection.password is not:"
                            + " a login needs both");
        }

        @Test
        void login_isForAddressesThatDoNotSayIt() {
            assertThat(Given.yaml("connection: { password: secret }", "partitions: [ 'redis://a', 'redis://u:own@b' ]")
                            .options()
                            .partitions())
                    .extracting(
                            partition -> Objects.requireNonNull(partition.uri()).reveal())
                    .containsExactly("redis://:secret@a:6379/0", "redis://u:own@b:6379/0");
        }

        @Test
        void onePartitionWithoutAddressAmongOthers_isAProblem() {
            assertThat(Given.yaml("partitions:", "  p1: redis://127.0.0.1", "  p2: { weight: 2 }")
                            .problems())
                    .containsExactly("keyslot.yaml:3:3: partitions.p2 has no address, which engine instances needs");
        }

        @Test
        void sameAddressTwice_isAProblemWhateverTheDatabase() {
            assertThat(Given.yaml("partitions:", "  p1: redis://HOST/0", "  p2: rediss://host:6379/1")
                            .problems())
                    .containsExactly("keyslot.yaml:3:3: partitions.p2 has the address of partitions.p1:"
                            + " each partition needs an instance of its own");
        }
    }

    @Nested
    class Forms {
        @Test
        void numberOutOfRange_isAProblem() {
            assertThat(Given.yaml("partitions: 0").problems())
                    .containsExactly("keyslot.yaml:1:1: partitions is \"0\", must be a number from 1 to 1000");
        }

        @Test
        void otherText_isAProblem() {
            assertThat(Given.yaml("partitions: many").problems())
                    .containsExactly("keyslot.yaml:1:1: partitions is \"many\", " + RULE);
        }

        @Test
        void nothing_isAProblem() {
            assertThat(Given.yaml("partitions: []").problems())
                    .containsExactly("keyslot.yaml:1:1: partitions has no partition in it, " + RULE);
        }

        @Test
        void nameTwice_isAProblem() {
            assertThat(Given.yaml("partitions: [ a, b, a ]").problems())
                    .containsExactly("keyslot.yaml:1:21: partitions.a is given twice");
        }

        @Test
        void badName_isAProblem() {
            assertThat(Given.yaml("partitions: { 'p 1': 2 }").problems())
                    .containsExactly(
                            "keyslot.yaml:1:15: partitions.p 1 must have a name of 1 to 64 letters from a to z, digits,"
                                    + " '.', '-' or '_'");
        }

        @Test
        void listForAPartition_isAProblem() {
            assertThat(Given.yaml("partitions: { p1: [ 1 ] }").problems())
                    .containsExactly("keyslot.yaml:1:15: partitions.p1 is a list, must be a mapping");
        }

        @Test
        void mappingInAList_isAProblem() {
            assertThat(Given.yaml("partitions: [ { p1: 'redis://127.0.0.1' } ]").problems())
                    .containsExactly(
                            "keyslot.yaml:1:15: partitions has a mapping in its list, must be addresses or names");
        }

        @Test
        void listForAnAddress_isAProblem() {
            assertThat(Given.yaml("partitions: { p1: { uri: [ 'redis://127.0.0.1' ] } }")
                            .problems())
                    .containsExactly("keyslot.yaml:1:21: partitions.p1.uri is a list, must be an address");
        }
    }

    @Nested
    class Shares {
        @Test
        void badWeight_isAProblem() {
            assertThat(Given.yaml("partitions: { p1: 1001, p2: { weight: -1 } }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:1:15: partitions.p1 is \"1001\", must be a number from 0 to 1000",
                            "keyslot.yaml:1:31: partitions.p2.weight is \"-1\", must be a number from 0 to 1000");
        }

        @Test
        void onlyWeightsOfZero_areAProblem() {
            assertThat(Given.yaml("partitions: { p1: 0, p2: 0 }").problems())
                    .singleElement()
                    .asString()
                    .contains("at least one weight must be above 0");
        }

        @Test
        void badSlots_areAProblem() {
            assertThat(Given.yaml("partitions: { p1: { slots: '0-16384' } }").problems())
                    .containsExactly("keyslot.yaml:1:21: partitions.p1.slots is \"0-16384\","
                            + " must be slots from 0 to 16383 such as 0-5460,6000");
        }

        @Test
        void weightAndSlotsOfOnePartition_areAProblem() {
            assertThat(Given.yaml("partitions: { p1: { weight: 2, slots: 0-16383 } }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:1:15: partitions.p1 has a weight and slots, must have one or the other");
        }

        @Test
        void weightBesideSlots_isAProblem() {
            assertThat(Given.yaml("partitions: { p1: { slots: 0-16383 }, p2: 2 }")
                            .problems())
                    .containsExactly("keyslot.yaml:1:39: partitions.p2 has a weight, but partitions.p1 has slots:"
                            + " use one or the other for all partitions");
        }

        @Test
        void slotsOfOnlyOnePartition_areAProblem() {
            assertThat(Given.yaml("partitions:", "  p1: { slots: 0-16383 }", "  p2:")
                            .problems())
                    .containsExactly("keyslot.yaml:3:3: partitions.p2 has no slots, but partitions.p1 has:"
                            + " give slots to all partitions or to none");
        }

        @Test
        void overlap_isReportedWithTheSlots() {
            assertThat(Given.yaml("partitions:", "  p1: { slots: 0-8200 }", "  p2: { slots: [ 8192-16383, 8192 ] }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:3:3: partitions.p2.slots has slots that were given before: 8192-8200");
        }

        @Test
        void slotsOfNobody_areReported() {
            assertThat(Given.yaml("partitions:", "  p1: { slots: '0-5460,6000' }", "  p2: { slots: 8192-16382 }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:1:1: partitions leaves slots without an owner: 5461-5999,6001-8191,16383");
        }

        @Test
        void weightsTooFarApart_areAProblem() {
            StringBuilder heavy = new StringBuilder("partitions: { light: 1");
            for (int number = 0; number < 40; number++) {
                heavy.append(", h").append(number).append(": 1000");
            }

            assertThat(Given.yaml(heavy + " }").problems())
                    .containsExactly("keyslot.yaml:1:15: partitions.light would own no slot:"
                            + " its weight is too small beside those of the others");
        }
    }
}
