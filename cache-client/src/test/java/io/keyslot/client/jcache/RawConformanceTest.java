// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

/** The rules of raw caches on the engine that runs without any server. */
public class RawConformanceTest extends RawConformance {}
