// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.near.NearCaches;
import io.keyslot.client.replica.Replicas;

/** The near caches and replicas that all caches of one client share. */
public record ClientReads(NearCaches near, Replicas replicas) {}
