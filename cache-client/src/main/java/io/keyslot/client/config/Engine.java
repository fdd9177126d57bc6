// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** What the partitions are. */
public enum Engine {
    /** Maps in this process, which begin empty and are shared with nobody. */
    EMBEDDED,
    /** Standalone Redis or Valkey instances. */
    INSTANCES
}
