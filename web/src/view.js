// The bodies in space: three.js. Right drag or two fingers turn the view; what the left button does
// is decided by the page.
import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Mesh,
  MeshStandardMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2,
  Vector3, WebGLRenderer, MeshBasicMaterial, Box3, MOUSE, TOUCH,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const tints = {
  steel: 0x9aa7b5, brass: 0xc9a24a, bronze: 0xb08040, copper: 0xc07850, aluminium: 0xc3c8cf, glass: 0x9fc8cf,
  ceramic: 0xe6e0d4, porcelain: 0xf0eee8, pet: 0xe8dcc0, silver: 0xd0d4d8, stone: 0x8f8a84, rubber: 0x444448,
};
const wood = 0xa87a4c;
const woods = ['beech', 'maple', 'oak', 'pine', 'rosewood', 'spruce', 'walnut'];

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(45, 1, 0.001, 200);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.mouseButtons = { LEFT: null, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.ROTATE };
    this.controls.touches = { ONE: null, TWO: TOUCH.DOLLY_ROTATE };
    this.controls.addEventListener('change', () => { this.moved = true; });
    this.scene.add(new AmbientLight(0xffffff, 1.2));
    for (const [x, y, z, power] of [[1, 2, 1.5, 2], [-1.5, 1, -1, 0.8]]) {
      const light = new DirectionalLight(0xffffff, power);
      light.position.set(x, y, z);
      this.scene.add(light);
    }
    this.meshes = new Map();
    this.dot = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xff5030 }));
    this.dot.visible = false;
    this.scene.add(this.dot);
    this.ray = new Raycaster();
    this.moved = true;
  }

  add(body) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(body.data.vertices.slice(), 3));
    geometry.setIndex(new BufferAttribute(body.data.triangles, 1));
    geometry.computeVertexNormals();
    const tint = this.tint(body);
    const material = new MeshStandardMaterial({ color: tint, roughness: 0.45, metalness: 0.15, side: DoubleSide,
      flatShading: body.isIdeal });
    const mesh = new Mesh(geometry, material);
    mesh.userData.body = body;
    this.meshes.set(body.id, mesh);
    this.refresh(body);
    this.scene.add(mesh);
  }

  tint(body) {
    const name = body.material?.name ?? '';
    return woods.includes(name) ? wood : tints[name] ?? 0xa0a8b0;
  }

  remove(body) {
    const mesh = this.meshes.get(body.id);
    mesh.geometry.dispose();
    this.scene.remove(mesh);
    this.meshes.delete(body.id);
  }

  /** Places a new body to the right of the others, and shows all. */
  putBeside(body) {
    const others = new Box3(), own = new Box3().setFromObject(this.meshes.get(body.id));
    for (const mesh of this.meshes.values()) if (mesh.userData.body !== body) others.expandByObject(mesh);
    if (!others.isEmpty()) {
      const width = own.max.x - own.min.x;
      body.position = [body.position[0] + others.max.x - own.min.x + 0.3 * width, body.position[1], body.position[2]];
    }
    this.refresh(body);
    this.frame(null);
  }

  refresh(body) {
    const mesh = this.meshes.get(body.id);
    mesh.position.fromArray(body.position);
    mesh.quaternion.fromArray(body.orientation);
    mesh.scale.setScalar(body.size);
    mesh.material.color = new Color(this.tint(body));
    this.moved = true;
  }

  select(body) {
    for (const mesh of this.meshes.values()) {
      const chosen = mesh.userData.body === body;
      mesh.material.emissive = new Color(chosen && this.meshes.size > 1 ? 0x1c2a44 : 0);
    }
  }

  /** The view of the scene's listener, or one that has everything in it. */
  frame(listener) {
    const box = new Box3();
    for (const mesh of this.meshes.values()) box.expandByObject(mesh);
    const centre = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3()).length();
    this.size = size;
    this.camera.near = size / 500;
    this.camera.far = size * 50;
    if (listener) {
      this.camera.position.fromArray(listener.position);
      const ahead = new Vector3(0, 0, -1).applyQuaternion(new Quaternion().fromArray(listener.orientation));
      const far = Math.max(this.camera.position.distanceTo(centre) * 0.9, 0.1 * size);
      this.controls.target.copy(this.camera.position).addScaledVector(ahead, far);
    } else {
      const way = new Vector3(0.35, 0.45, 1).normalize();
      this.camera.position.copy(centre).addScaledVector(way, size * 1.25);
      this.controls.target.copy(centre);
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  listener() {
    this.camera.updateMatrixWorld();
    return {
      position: this.camera.position.toArray(),
      right: new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion).toArray(),
      up: new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion).toArray(),
    };
  }

  /** What is below a point of the window. */
  pick(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.ray.setFromCamera(at, this.camera);
    const [hit] = this.ray.intersectObjects([...this.meshes.values()]);
    if (!hit) return null;
    return {
      body: hit.object.userData.body,
      triangle: hit.faceIndex,
      barycentrics: hit.barycoord ? hit.barycoord.toArray() : [1 / 3, 1 / 3, 1 / 3],
    };
  }

  mark(body, point) {
    const mesh = this.meshes.get(body.id);
    mesh.updateMatrixWorld();
    this.dot.position.fromArray(point).applyMatrix4(mesh.matrixWorld);
    this.dot.scale.setScalar(0.012 * this.camera.position.distanceTo(this.dot.position));
    this.dot.visible = true;
    this.moved = true;
  }

  /** Colours a body by a number a vertex between -1 and 1; null: its own colour. */
  colour(body, values) {
    const mesh = this.meshes.get(body.id);
    if (!values) {
      mesh.geometry.deleteAttribute('color');
      mesh.material.vertexColors = false;
      mesh.material.color = new Color(this.tint(body));
    } else {
      const colours = new Float32Array(3 * values.length);
      values.forEach((value, v) => {
        const rest = 1 - Math.abs(value);
        colours.set(value > 0 ? [1, 0.25 + 0.7 * rest, 0.15 + 0.8 * rest]
          : [0.15 + 0.8 * rest, 0.3 + 0.65 * rest, 1], 3 * v);
      });
      mesh.geometry.setAttribute('color', new BufferAttribute(colours, 3));
      mesh.material.vertexColors = true;
      mesh.material.color = new Color(0xffffff);
    }
    mesh.material.needsUpdate = true;
    this.moved = true;
  }

  /** Moves the vertices by a part of a field; null: back to rest. */
  bend(body, field, part) {
    const mesh = this.meshes.get(body.id);
    const position = mesh.geometry.getAttribute('position');
    const { vertices } = body.data;
    for (let i = 0; i < vertices.length; ++i) position.array[i] = vertices[i] + (field ? part * field[i] : 0);
    position.needsUpdate = true;
    this.moved = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.moved = true;
  }

  /** Draws if anything has changed; returns whether the camera has. */
  draw(background) {
    if (!this.moved) return false;
    this.moved = false;
    this.scene.background = new Color(background);
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
